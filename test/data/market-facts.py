"""Facts of the publishers' files, read with Python's csv and json alone: what imports are compared with.

    python3 test/data/market-facts.py FOLDER > test/data/market-facts.json

A file's facts: how many figures it has, how many of them are missing by the mark that stands in their place, the sum of
the others, and one figure in full.
"""

import collections
import csv
import io
import json
import math
import re
import sys
from xml.etree import ElementTree

folder = sys.argv[1]
facts = {}


def text(name, encoding="utf-8-sig"):
    return io.open(f"{folder}/{name}", encoding=encoding, newline="").read()


def rows(name, encoding="utf-8-sig", delimiter=",", after=0):
    return list(csv.reader(io.StringIO("".join(text(name, encoding).splitlines(True)[after:]), newline=""), delimiter=delimiter))


def put(name, cells):
    """`cells`: period, and a number or the mark that stands in its place."""
    cells = list(cells)
    numbers = [value for _, value in cells if not isinstance(value, str)]
    marks = collections.Counter(value for _, value in cells if isinstance(value, str))
    some = next((at, value) for at, value in cells[len(cells) // 3 :] if not isinstance(value, str))
    facts[name] = {
        "figures": len(cells),
        "missing": dict(sorted(marks.items())),
        "sum": math.fsum(numbers),
        "periods": len({at for at, _ in cells}),
        "one": list(some),
    }


def number(cell, decimal=".", thousands=""):
    cell = cell.strip()
    if thousands:
        cell = cell.replace(thousands, "")
    try:
        return float(cell.replace(decimal, "."))
    except ValueError:
        return cell or ":"


def period(cell):
    cell = re.sub(r"^(\d\d)\.(\d\d)\.(\d{4})$", r"\3-\2-\1", cell.strip())
    cell = re.sub(r"^(\d{4})M(\d\d)$", r"\1-\2", cell)
    return re.sub(r"^(\d{4})-?([QWS]\d+)$", r"\1-\2", cell)


for name in ["nama_10r_3gdp.tsv", "gov_10dd_edpt1.tsv", "teina200.tsv", "demo_r_mwk_ts.tsv", "ilc_di03-resaved-as.csv"]:
    separator = "," if name.endswith("csv") else "\t"
    head, *body = rows(f"eurostat-tsv/{name}", delimiter=separator)
    put(
        f"eurostat-tsv/{name}",
        ((period(at), number(cell.strip().split(" ")[0])) for row in body for at, cell in zip(head[1:], row[1:])),
    )

for name in ["sdg_08_10_linear", "tps00203_linear", "tps00099_linear", "demo_r_pjangrp3-code-and-label", "sdg_09_40-v2-labels"]:
    head, *body = rows(f"eurostat-sdmx-csv/{name}.csv")
    value, time = head.index("OBS_VALUE"), head.index("TIME_PERIOD")
    flag = next(at for at, column in enumerate(head) if column in ("OBS_FLAG", "OBS_STATUS"))
    put(
        f"eurostat-sdmx-csv/{name}.csv",
        (
            (row[time].split(":")[0], "c" if row[value] == "" and row[flag].startswith("c") else number(row[value]))
            for row in body
        ),
    )


def cube(name, dataset):
    dimension = dataset["dimension"]
    ids = dataset.get("id") or dimension["id"]
    sizes = dataset.get("size") or dimension["size"]
    role = dataset.get("role") or dimension.get("role") or {}
    time = role.get("time", [next((one for one in ids if one.lower() in ("tid", "time")), None)])[0]
    index = dimension[time]["category"]["index"]
    codes = index if isinstance(index, list) else sorted(index, key=index.get)
    values, status = dataset["value"], dataset.get("status") or {}
    step = math.prod(sizes[ids.index(time) + 1 :])
    cells = []
    for at in range(math.prod(sizes)):
        value = values[at] if isinstance(values, list) else values.get(str(at))
        mark = status[at] if isinstance(status, list) else status.get(str(at))
        cells.append((period(codes[at // step % len(codes)]), float(value) if value is not None else mark or ":"))
    put(f"json-stat/{name}", cells)


for name in ["eurostat-nama_10_gdp.json", "dst-HISB3.json", "ssb-29843.json", "cso-NQQ25.json", "jsonstat-org-galicia.json"]:
    whole = json.loads(text(f"json-stat/{name}"))
    cube(name, whole.get("dataset", whole))

for name, decimal in [
    ("52111-0001_de", ","),
    ("81000-0001_de", ","),
    ("12211-Z-11_de", ","),
    ("91111-0001_de", ","),
    ("91111-0001_en", "."),
]:
    head, *body = rows(f"german-genesis-ffcsv/{name}_flat.csv", delimiter=";")
    value, unit, time = head.index("value"), head.index("value_unit"), head.index("time")
    by = 1000 if name.startswith("12211") else 1
    read = ((row[time], number(row[value], decimal)) for row in body)
    put(
        f"german-genesis-ffcsv/{name}_flat.csv",
        ((at, value if isinstance(value, str) else value * by) for at, value in read),
    )

months = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()
for name, encoding, after, labels in [
    ("23111-01-04-4", "iso-8859-1", 8, 3),
    ("11111-01-01-4", "iso-8859-1", 6, 3),
    ("52111-03-01-4_00", "utf-8", 9, 3),
    ("AI009_00", "utf-8", 6, 3),
    ("12613-0004", "iso-8859-1", 8, 2),
    ("12612-0002", "utf-8", 6, 2),
    ("12411-0006-damaged-umlauts", "utf-8", 8, 2),
]:
    lines = text(f"german-genesis-table-csv/{name}.csv", encoding).splitlines()[after:]
    end = next(at for at, line in enumerate(lines) if line.startswith("____"))
    cells = []
    for row in csv.reader(lines[:end], delimiter=";"):
        at = f"{row[0]}-{months.index(row[1]) + 1:02}" if name == "12612-0002" else period(row[0])
        cells += [(at, number(cell, ",")) for cell in row[labels:]]
    put(f"german-genesis-table-csv/{name}.csv", cells)

for name, thousands, decimal in [
    ("nama_10_gdp_1_Data-comma-thousands", ",", "."),
    ("nama_10_gdp_1_Data-space-thousands", " ", "."),
    ("spr_exp_sum_1_Data-fr-bom", "", ","),
    ("crim_pris_pop_1_Data-fr-trailing-comma", "", "."),
]:
    head, *body = rows(f"eurostat-explorer-csv/{name}.csv")
    value, time = head.index("Value"), head.index("TIME")
    put(
        f"eurostat-explorer-csv/{name}.csv",
        ((row[time], number(row[value].replace("\u00a0", thousands or " "), decimal, thousands)) for row in body if row),
    )

head, *body = rows("world-and-supervisors/worldbank-SP.POP.TOTL.csv", after=4)
years = [at for at, column in enumerate(head) if re.fullmatch(r"\d{4}", column)]
put(
    "world-and-supervisors/worldbank-SP.POP.TOTL.csv",
    ((head[at], number(row[at])) for row in body if row for at in years),
)
head, *body = rows("world-and-supervisors/worldbank-gdp-long.csv")
put("world-and-supervisors/worldbank-gdp-long.csv", ((row[head.index("Year")], number(row[head.index("Value")])) for row in body))
head, *body = rows("world-and-supervisors/eiopa-rfr-curve_parameters.csv")
put(
    "world-and-supervisors/eiopa-rfr-curve_parameters.csv",
    (
        (row[head.index("reference_date")], number(row[head.index(column)]))
        for row in body
        for column in ("ufr", "va")
    ),
)
head, *body = rows("czech/csu-zvirata-270230.csv")
put("czech/csu-zvirata-270230.csv", ((row[head.index("rok")], number(row[head.index("hodnota")])) for row in body))
head, *body = rows("czech/csu-volby-obce-2018.csv", "cp1250", ";")
put("czech/csu-volby-obce-2018.csv", (("2018", number(row[head.index("POCOBYV")])) for row in body))


def observations(name):
    """Of SDMX-ML, by the local names of its elements."""
    for element in ElementTree.parse(f"{folder}/{name}").iter():
        if element.tag.split("}")[-1] != "Obs":
            continue
        inside = {one.tag.split("}")[-1]: one.get("value") for one in element}
        at = element.get("TIME_PERIOD") or inside["ObsDimension"]
        yield period(at), number(element.get("OBS_VALUE") or inside.get("ObsValue") or "")


for name in [
    "ecb-exr-m-usd-generic.xml",
    "estat-nama_10_gdp-structure-specific.xml",
    "imf-weo-structure-specific.xml",
    "insee-cna-2010-generic.xml",
    "insee-series-bdm-generic.xml",
    "istat-22_289-structure-specific.xml",
]:
    put(f"sdmx/{name}", observations(f"sdmx/{name}"))

whole = json.loads(text("sdmx/oecd-part2.json"))
put("sdmx/oecd-part2.json", [("2021", float(cells[0])) for cells in whole["dataSets"][0]["observations"].values()])


print(json.dumps(facts, indent=2, ensure_ascii=False))
