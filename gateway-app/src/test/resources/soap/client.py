# A client of SOAP 1.1 by zeep: python client.py orders.wsdl
import json
import sys

import zeep

service = zeep.Client(sys.argv[1]).service
answer = service.GetOrder(id=2, note="a & <b> é")
print(json.dumps(zeep.helpers.serialize_object(answer, dict), ensure_ascii=True))
try:
    service.GetOrder(id=0)
except zeep.exceptions.Fault as fault:
    print(json.dumps({"faultcode": fault.code, "faultstring": fault.message}))
