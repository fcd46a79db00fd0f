# Transforms by SaxonC: python transform.py document.xml result.xml stylesheet.xsl
import sys

import saxonche

with saxonche.PySaxonProcessor(license=False) as processor:
    stylesheet = processor.new_xslt30_processor().compile_stylesheet(stylesheet_file=sys.argv[3])
    stylesheet.transform_to_file(source_file=sys.argv[1], output_file=sys.argv[2])
