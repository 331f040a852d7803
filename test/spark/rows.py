"""Prints the rows of all tables of a dataset that have any, as pyarrow or Spark reads them: a table on each line."""

import json
import math
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path

NO_DAY = "date=__HIVE_DEFAULT_PARTITION__"


def plain(value):
    """A value as JSON: bytes in hexadecimal, and numbers that JSON may not have as texts."""
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(element) for element in value]
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).hex()
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, (int, Decimal)):
        return str(value)
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        return value if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"
    return str(value)


def tables(folder):
    return sorted(one.name for one in Path(folder).iterdir() if any(day.name != NO_DAY for day in one.glob("date=*")))


def by_pyarrow(folder):
    import pyarrow.dataset as dataset

    for table in tables(folder):
        read = dataset.dataset(f"{folder}/{table}", format="parquet", partitioning="hive")
        yield table, read.to_table().to_pylist()


def by_spark(folder):
    from pyspark.sql import SparkSession

    # Small tables are read sooner than code is made for each of them.
    options = {"spark.ui.enabled": "false", "spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
    spark = SparkSession.builder.master("local[2]").config(map=options).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")

    def read(table):
        rows = spark.read.parquet(f"{folder}/{table}").coalesce(1).collect()
        return table, [row.asDict(recursive=True) for row in rows]

    # There are hundreds: while one is planned, others can be read.
    with ThreadPoolExecutor(8) as pool:
        yield from pool.map(read, tables(folder))
    spark.stop()


engine, path = sys.argv[1:]
for name, rows in {"pyarrow": by_pyarrow, "spark": by_spark}[engine](path):
    print(json.dumps({"table": name, "rows": plain(rows)}))
