"""Numbers and tables in Markdown."""


def count(value):
    return "-" if value is None else f"{value:,.0f}"


def decimals(value, digits=1):
    return "-" if value is None else f"{value:,.{digits}f}"


def milliseconds(value):
    return "-" if value is None else f"{value:.2f} ms"


def percent(share, digits=1, sign=False):
    return "-" if share is None else f"{share * 100:{'+' if sign else ''}.{digits}f} %"


def interval(values, digits=2):
    """The median with the least and the most in brackets."""
    ordered = sorted(values)
    middle = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
    return f"{middle:.{digits}f} [{ordered[0]:.{digits}f}..{ordered[-1]:.{digits}f}]"


def failures(row):
    """Empty when all was well; else what makes the row invalid."""
    told = []
    if row.get("bad"):
        told.append(f"{row['bad']:,} answers not 2xx")
    if row.get("errors"):
        told.append(f"{row['errors']:,} broken connections")
    return f"**invalid**: {', '.join(told)}" if told else ""


def markdown(header, rows):
    """A table; an empty last column is left out."""
    rows = [[str(cell) for cell in row] for row in rows]
    if rows and not header[-1] and not any(row[-1] for row in rows):
        header, rows = header[:-1], [row[:-1] for row in rows]
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"
