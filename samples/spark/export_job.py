"""Exports a folder of captures into one dataset, on all machines of a Spark cluster. docs/spark.md says how to start it.

Each capture is a task: an executor fetches it, runs `moul-dissect export` on it, and puts the tables into the dataset.
What is in the dataset already is skipped, so that a run that was interrupted can be repeated.
"""

import argparse
import hashlib
import re
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path, PurePosixPath
from typing import Iterable, NamedTuple, Optional

from pyarrow import fs
from pyspark import SparkFiles, TaskContext
from pyspark.sql import SparkSession

CAPTURE = re.compile(r"\.(pcap|pcapng|cap)(\.(gz|zst|lz4))?$", re.IGNORECASE)
"""How the names of captures end."""

DIGITS = 16
"""How many digits of the SHA-256 of a capture the names of its files have."""

UNFINISHED = ".unfinished"
"""The folder for files that are not whole. Engines pass over names that begin with a dot."""

NO_DAY = "date=__HIVE_DEFAULT_PARTITION__"
"""The partition with the columns of each table, and no rows."""

CHUNK = 8 * 1024 * 1024


class Job(NamedTuple):
    """What is the same for all captures."""

    output: str
    program: str
    node: str
    arguments: tuple[str, ...]
    """Further arguments of `moul-dissect export`."""
    files: tuple[tuple[str, str], ...]
    """Options and the names of the shipped files that are their values."""
    exported: dict[str, str]
    """By digest: where the dataset has the row of a capture, from its root on."""
    attempts: int
    """How often Spark tries a task."""


class Outcome(NamedTuple):
    """What became of a capture."""

    kind: str
    """exported, skipped, or failed: the dataset then has no row of it."""
    is_whole: bool
    """False if something is wrong with the capture."""
    text: str


def opened(uri: str) -> tuple[fs.FileSystem, str]:
    """The file system of a URI, and the path in it. Spark calls S3 s3a."""
    uri = re.sub(r"^s3[an]://", "s3://", uri)
    return fs.FileSystem.from_uri(uri if "://" in uri else str(Path(uri).resolve()))


def captures_in(folder: str) -> list[str]:
    """The URIs of the captures in a folder, the largest first: a long task at the end would keep all others waiting."""
    system, root = opened(folder)
    found = system.get_file_info(fs.FileSelector(root, recursive=True))
    files = [one for one in found if one.type == fs.FileType.File and CAPTURE.search(one.base_name)]
    files.sort(key=lambda one: (-one.size, one.path))
    return [folder.rstrip("/") + one.path[len(root.rstrip("/")) :] for one in files]


def exported_in(output: str) -> dict[str, str]:
    """The rows of captures that a dataset has, by digest."""
    system, root = opened(output)
    found = system.get_file_info(fs.FileSelector(f"{root}/captures", recursive=True, allow_not_found=True))
    rows = [one for one in found if one.type == fs.FileType.File and NO_DAY not in one.path]
    return {PurePosixPath(one.path).stem: one.path[len(root) + 1 :] for one in rows if one.extension == "parquet"}


def fetch(uri: str, path: Path) -> str:
    """Copies a capture to this machine; returns its digest."""
    system, source = opened(uri)
    digest = hashlib.sha256()
    with system.open_input_stream(source, compression=None) as stream, path.open("wb") as copy:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
            copy.write(chunk)
    return digest.hexdigest()[:DIGITS]


class Dataset:
    """A dataset in any file system, to which whole files are added."""

    def __init__(self, uri: str) -> None:
        self.system, self.root = opened(uri)

    def read(self, name: str) -> Optional[bytes]:
        """The bytes of a file; None if there is none."""
        if self.system.get_file_info(f"{self.root}/{name}").type != fs.FileType.File:
            return None
        with self.system.open_input_stream(f"{self.root}/{name}", compression=None) as stream:
            return stream.read()

    def put(self, local: Path, name: str) -> None:
        """Adds a file, which has its name only when it is whole."""
        final = f"{self.root}/{name}"
        unfinished = f"{self.root}/{UNFINISHED}/{uuid.uuid4()}"
        for path in (unfinished, final):
            self.system.create_dir(str(PurePosixPath(path).parent), recursive=True)
        with local.open("rb") as source, self.system.open_output_stream(unfinished, compression=None) as copy:
            while chunk := source.read(CHUNK):
                copy.write(chunk)
        self.remove([name])
        self.system.move(unfinished, final)

    def remove(self, names: Iterable[str]) -> None:
        """Takes those of the files away that exist."""
        found = self.system.get_file_info([f"{self.root}/{name}" for name in names])
        for one in found:
            if one.type == fs.FileType.File:
                self.system.delete_file(one.path)

    def clear_unfinished(self) -> None:
        """Takes away what tasks have left that did not end."""
        if self.system.get_file_info(f"{self.root}/{UNFINISHED}").type == fs.FileType.Directory:
            self.system.delete_dir(f"{self.root}/{UNFINISHED}")


def export(capture: str, is_first: bool, job: Job) -> Outcome:
    """Exports one capture; the first one also brings the columns of all tables."""
    with tempfile.TemporaryDirectory(prefix="moul-dissect-") as folder:
        inputs, tables = Path(folder) / "capture", Path(folder) / "dataset"
        inputs.mkdir()
        local = inputs / PurePosixPath(capture).name
        digest = fetch(capture, local)
        dataset = Dataset(job.output)
        row = job.exported.get(digest)
        before = None if row is None else dataset.read(row)
        if row is not None and before is not None:
            # The program sees by it whether there is anything to do.
            (tables / row).parent.mkdir(parents=True)
            (tables / row).write_bytes(before)
        shipped = [part for option, name in job.files for part in (option, SparkFiles.get(name))]
        command = [job.node, job.program, "export", "-o", str(tables), *job.arguments, *shipped, "--", str(local)]
        run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
        said = run.stderr.strip().replace(str(local), capture)[-2000:]
        rows = list(tables.glob(f"captures/date=*/{digest}.parquet"))
        if run.returncode < 0 or not rows:
            context = TaskContext.get()
            text = f"{capture}: the program ended with {run.returncode}: {said}"
            if context is not None and context.attemptNumber() + 1 < job.attempts:
                raise RuntimeError(text)
            # A capture on which the program cannot be run is not the end of the others.
            return Outcome("failed", False, text)
        if is_first:
            put_columns(tables, dataset)
        is_new = rows[0].read_bytes() != before
        if is_new:
            put_tables(tables, digest, dataset, row)
        return Outcome("exported" if is_new else "skipped", run.returncode == 0, said)


def put_columns(tables: Path, dataset: Dataset) -> None:
    """Makes every table, so that questions about one without rows have an answer."""
    views = tables / "views.sql"
    if dataset.read(views.name) == views.read_bytes():
        return
    for file in sorted(tables.glob(f"*/{NO_DAY}/*.parquet")):
        dataset.put(file, file.relative_to(tables).as_posix())
    dataset.put(views, views.name)


def put_tables(tables: Path, digest: str, dataset: Dataset, row: Optional[str]) -> None:
    """Adds the rows of a capture, that in `captures` last: without it, the capture counts as not exported."""
    if row is not None:
        dataset.remove([row])
    files = sorted(tables.glob(f"*/date=*/{digest}.parquet"), key=lambda file: file.parts[-3] == "captures")
    names = [file.relative_to(tables).as_posix() for file in files]
    day = files[-1].parent.name
    # Other options may have made more tables.
    dataset.remove({f"{table.name}/{day}/{digest}.parquet" for table in tables.iterdir() if table.is_dir()} - {*names})
    for file, name in zip(files, names):
        dataset.put(file, name)


def separated(arguments: list[str]) -> tuple[list[str], list[str]]:
    """What is in front of --, and what follows it: argparse refuses that where options are between its other arguments."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:end], arguments[end + 1 :]


def main() -> int:
    """Runs the job; returns the exit code."""
    own, further = separated(sys.argv[1:])
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog="What follows -- goes to moul-dissect export.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("captures", help="the folder with the captures: hdfs://, s3a://, gs://, file://, or a path")
    parser.add_argument("dataset", help="the folder of the dataset")
    parser.add_argument("--program", default="program/node_modules/moul-dissect/dist/bin/moul-dissect.js")
    parser.add_argument("--node", default="program/node", help="Node.js on the executors (default: %(default)s)")
    parser.add_argument("--keys", action="append", default=[], help="the name of a file that is shipped with --files")
    parser.add_argument("--sdl", action="append", default=[], help="the same, for descriptors")
    given = parser.parse_args(own)
    captures = captures_in(given.captures)
    if not captures:
        print(f"{given.captures}: there are no captures", file=sys.stderr)
        return 2
    spark = SparkSession.builder.appName("moul-dissect export").getOrCreate()
    context = spark.sparkContext
    job = Job(
        output=given.dataset,
        program=given.program,
        node=given.node,
        arguments=tuple(further),
        files=tuple((option, name) for option in ("--keys", "--sdl") for name in getattr(given, option[2:])),
        exported=exported_in(given.dataset),
        attempts=int(context.getConf().get("spark.task.maxFailures", "4")),
    )
    dataset = Dataset(given.dataset)
    dataset.clear_unfinished()
    try:
        tasks = context.parallelize(list(enumerate(captures)), len(captures))
        outcomes = tasks.map(lambda task: export(task[1], task[0] == 0, job)).collect()
    finally:
        spark.stop()
    dataset.clear_unfinished()
    for outcome in outcomes:
        if not outcome.is_whole:
            print(outcome.text, file=sys.stderr)
    counts = ", ".join(f"{sum(one.kind == kind for one in outcomes)} {kind}" for kind in ("exported", "skipped", "failed"))
    print(f"{len(outcomes)} captures: {counts}")
    return 0 if all(outcome.is_whole for outcome in outcomes) else 2


if __name__ == "__main__":
    sys.exit(main())
