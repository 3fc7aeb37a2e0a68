"""``mbd-fmu view``."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from mbd_fmu.commands.arguments import A_MODEL, add_choices, add_run, choices_of, file_ending_in
from mbd_fmu.commands.command import Command
from mbd_fmu.commands.console import note, progress_of, say
from mbd_fmu.errors import MbdFmuError, nearest
from mbd_fmu.options import CAMERAS, PICTURE_EXTRAS, PICTURE_SIZE


def arguments(parser: ArgumentParser) -> None:
    """What to see, how long it runs, and the page, pictures and films to write."""
    parser.add_argument(
        "target", metavar="MODEL|FMU|RESULT.csv", help=f"{A_MODEL}; an FMU; a table of results"
    )
    parser.add_argument(
        "--scene", metavar="MODEL|FMU", help="of a table: what it shows [<table>.fmu beside it]"
    )
    parser.add_argument("--input", type=Path, metavar="IN.csv", help="[input.csv beside a model]")
    add_run(parser)
    parser.add_argument(
        "-o", "--out", type=Path, metavar="OUT.html", help="[<what is seen>_motion.html]"
    )
    parser.add_argument(
        "--camera",
        choices=CAMERAS,
        default="",
        metavar="FROM",
        help=f"{', '.join(CAMERAS)} [a plane mechanism face on, others from the front, above]",
    )
    parser.add_argument("--open", action="store_true", help="open the page in a browser")
    parser.add_argument(
        "--live",
        action="store_true",
        help="a page where a model is driven by hand: the code of its FMU, in the browser "
        "[<model>_live.html]",
    )
    parser.add_argument(
        "--png", type=file_ending_in(".png"), metavar="OUT.png", help="picture; by Chromium"
    )
    parser.add_argument("--at", type=float, metavar="S", help="instant of the picture [the first]")
    for kind in ("gif", "mp4"):
        parser.add_argument(
            f"--{kind}",
            type=file_ending_in(f".{kind}"),
            metavar=f"OUT.{kind}",
            help="film; by Chromium and ffmpeg",
        )
    size = "x".join(map(str, PICTURE_SIZE))
    parser.add_argument("--size", type=_size, default=PICTURE_SIZE, metavar="WxH", help=f"[{size}]")
    parser.add_argument(
        "--show",
        type=_extras,
        default=(),
        metavar="LIST",
        help=f"in pictures and films: {', '.join(PICTURE_EXTRAS)}",
    )
    add_choices(parser)


def run(args: Namespace) -> int:
    """Show a motion: as a page, or as pictures and films for documents."""
    import webbrowser

    from mbd_fmu.host.writing import plain_name, target_of
    from mbd_fmu.model.library import find_model
    from mbd_fmu.runs import Request
    from mbd_fmu.seen import seen_in_fmu, seen_in_model, seen_in_table
    from mbd_fmu.signals.csv_files import read_inputs
    from mbd_fmu.viewer.film import write_film, write_picture
    from mbd_fmu.viewer.page import write_motion

    if args.live:
        return _live(args)
    target = Path(args.target)
    files = [path for path in (args.png, args.gif, args.mp4) if path]
    _refuse_idle_options(args, is_table=target.suffix == ".csv", draws=bool(files))
    for path in filter(None, [args.out, *files]):
        target_of(path)  # refused before the work, not after
    choices = choices_of(args, args.target)
    inputs = read_inputs(args.input, interpolate=False)
    request = Request(args.stop, args.step, inputs)
    with progress_of(f"view {target}") as progress:
        if target.suffix == ".csv":
            seen = seen_in_table(target, args.scene, inputs)
        elif target.suffix == ".fmu":
            seen = seen_in_fmu(target, request, progress=progress, notice=note)
        else:
            path = find_model(args.target)
            seen = seen_in_model(path, request, choices, progress=progress, notice=note)
    scene, motion = seen.scene, seen.motion
    begin, end = motion.time[0], motion.time[-1]
    if args.out or not files:
        is_file = target.suffix in (".csv", ".fmu")
        page = args.out or Path(
            f"{target.stem if is_file else plain_name(scene['model'])}_motion.html"
        )
        replaced = write_motion(page, scene, motion, camera=args.camera)
        say(f"{page}  {len(motion.time)} instants over {end - begin:g} s{replaced}")
        if args.open:
            webbrowser.open(page.resolve().as_uri())
    for path in files:
        with progress_of(f"draw {path}"):
            look = {"size": args.size, "shows": args.show, "camera": args.camera}
            if path == args.png:
                at = args.at if args.at is not None else float(begin)
                if not begin <= at <= end:
                    raise MbdFmuError(f"--at {at:g}: the motion lasts from {begin:g} to {end:g} s")
                write_picture(path, scene, motion, at=at, **look)
            else:
                write_film(path, scene, motion, **look)
        say(f"{path}  {args.size[0]} x {args.size[1]}")
    return 0


def _live(args: Namespace) -> int:
    """Write the page of a model that steps itself."""
    import webbrowser

    from mbd_fmu.formats.model_files import open_model
    from mbd_fmu.host.writing import plain_name, target_of
    from mbd_fmu.live.page import live_page
    from mbd_fmu.model.library import find_model, table_beside
    from mbd_fmu.signals.csv_files import read_inputs
    from mbd_fmu.viewer.page import write_page

    _refuse_beside_live(args)
    path = find_model(args.target)
    opened = open_model(path, choices_of(args, args.target))
    for notice in opened.notices:
        note(notice)
    page = args.out or Path(f"{plain_name(opened.spec.name)}_live.html")
    target_of(page)  # refused before the work, not after
    inputs = read_inputs(args.input, interpolate=False) or table_beside(path, "input.csv")
    with opened.located(), progress_of(f"view {args.target}") as progress:
        text = live_page(opened.spec, inputs, progress, camera=args.camera).html()
    replaced = write_page(page, text)
    say(f"{page}  {len(text) / 1e6:.1f} MB, of one file{replaced}")
    if args.open:
        webbrowser.open(page.resolve().as_uri())
    return 0


def _refuse_beside_live(args: Namespace) -> None:
    """Who drives by hand sees no run."""
    problems = []
    if Path(args.target).suffix in (".csv", ".fmu"):
        problems.append(
            f"--live compiles a model for the browser; {args.target} is none: name its model file"
        )
    idle = {
        "--stop": args.stop,
        "--step": args.step,
        "--scene": args.scene,
        "--at": args.at,
        "--png": args.png,
        "--gif": args.gif,
        "--mp4": args.mp4,
        "--show": args.show or None,
        "--size": args.size if args.size != PICTURE_SIZE else None,
    }
    if named := [name for name, value in idle.items() if value is not None]:
        problems.append(f"a page that is driven by hand has no use for {', '.join(named)}")
    if problems:
        raise MbdFmuError("\n  ".join(problems))


def _refuse_idle_options(args: Namespace, *, is_table: bool, draws: bool) -> None:
    """Nothing that is asked for is ignored."""
    idle = []
    if is_table and (args.stop or args.step):
        idle.append("--stop and --step are of runs; a table is shown as it is")
    if not is_table and args.scene:
        idle.append("--scene is of tables; a model or an FMU has its own")
    if not draws and (args.show or args.size != PICTURE_SIZE):
        idle.append("--show and --size are of pictures and films; add --png, --gif or --mp4")
    if args.at is not None and not args.png:
        idle.append("--at is of a picture; add --png")
    if draws and args.open and not args.out:
        idle.append("--open opens a page; add -o OUT.html")
    if idle:
        raise MbdFmuError("\n  ".join(idle))


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit() and min(int(width), int(height)) >= 16):
        raise ArgumentTypeError(f"{text} is no size in pixels, such as 1280x800")
    return int(width), int(height)


def _extras(text: str) -> tuple[str, ...]:
    chosen = tuple(text.split(","))
    for name in chosen:
        if name not in PICTURE_EXTRAS:
            raise ArgumentTypeError(f"nothing called {name}; {nearest(name, PICTURE_EXTRAS)}")
    return chosen


VIEW = Command("view", "a motion in 3-D: a page, a picture or a film", arguments, run)
