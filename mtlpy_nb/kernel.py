# SPDX-License-Identifier: MIT
"""Kernels as Python callables."""

from __future__ import annotations

import inspect
import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial
from keyword import iskeyword
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from . import _native as mtl
from . import _plain_call, _recording
from ._advice import KERNEL, counted, did_you_mean, how_to_give
from ._binding import Call
from ._checks import flag
from ._function_constants import Specializable
from ._grid import Size, check_threadgroup, checked, good_threadgroup, grid_of_shape
from ._ready import Ready, make_ready
from ._source_text import function_text
from ._stage_arguments import StageAttribute, StageCall, split
from ._values import Mismatch
from .arguments import Argument, marked_signature, position_rank, signature_in
from .errors import ArgumentError, MetalError, ValidationError, advised, interrupted
from .handle import Handle

if TYPE_CHECKING:
    from .device import Device
    from .explanation import Explanation
    from .library import Code
    from .timing import Timing

__all__ = ["Kernel"]

_IN_A_COMMAND_BUFFER = (
    f"a kernel goes into a command buffer as a Pipeline: device.compile({KERNEL}.source, '{KERNEL}').run(..., cb=)"
)


class Kernel(Specializable):
    """A kernel function that can be called; made by ``library["name"]``.

    Arguments go by position, in the order of the source, or by their names. Buffers, textures and samplers may be
    this package's objects; for buffers and textures NumPy arrays do as well (those that the kernel writes are updated
    in place), and :class:`output` makes a new one. ``constant T&`` takes numbers, tuples and dicts.

    A kernel with ``[[stage_in]]`` takes an array for each of its attributes, by the member's name: a thread gets the
    element at its x in the grid. One value is for all threads.

    The call returns the outputs: one, or a named tuple. Without outputs it returns what was given to be written.
    """

    def __init__(self, _code: Code, name: str, constants: Mapping[str, Any] | None = None) -> None:
        self._code = _code
        self.name = self.__name__ = self.__qualname__ = name
        self.constants: Mapping[str, Any] = MappingProxyType(dict(constants or {}))
        self._lock = threading.Lock()
        self._ready: Ready | None = None
        self._function = _code.native.new_function(name)
        self.__doc__ = self._describe()

    # ---- what it is ----

    @property
    def device(self) -> Device:
        """The device that it runs on."""
        return self._code.device

    @property
    def arguments(self) -> Mapping[str, Argument]:
        """The arguments by name, in the order of the source; behind them the attributes of ``[[stage_in]]``."""
        return MappingProxyType({argument.name: argument for argument in self._all_arguments()})

    @property
    def signature(self) -> str:
        """The declaration as the source has it, on one line; empty where it is not known."""
        info = self._function.info if self._function is not None else None
        return " ".join(info.signature.split()) if info is not None else signature_in(self._code.source, self.name)

    @property
    def comment(self) -> str:
        """The comment above the kernel in the source."""
        info = self._function.info if self._function is not None else None
        return info.comment if info is not None else ""

    @property
    def source(self) -> str:
        """Its own text in the source, with the comment above it; empty where it is not found there."""
        return function_text(self._code.source, self.name)

    @property
    def thread_execution_width(self) -> int:
        """Threads that run in lockstep."""
        return self._prepared().width

    @property
    def max_threads_per_threadgroup(self) -> int:
        """Most threads that a threadgroup of this kernel may have."""
        return self._prepared().limit

    @property
    def __signature__(self) -> inspect.Signature:
        options = {"grid": None, "threadgroup": None, "wait": True}
        names = [argument.name for argument in self._arguments()]
        # Python's own words and the names of the options can only be given by position, so what is before them as well.
        clashes = [i for i, name in enumerate(names) if iskeyword(name) or name in options or not name.isidentifier()]
        first = clashes[-1] + 1 if clashes else 0
        parameters = [
            inspect.Parameter(
                _free_name(name, i, options),
                inspect.Parameter.POSITIONAL_ONLY if i < first else inspect.Parameter.POSITIONAL_OR_KEYWORD,
            )
            for i, name in enumerate(names)
        ]
        keyword = inspect.Parameter.KEYWORD_ONLY
        attributes = [attribute.name for attribute in self._attributes()]
        parameters += [inspect.Parameter(name, keyword) for name in attributes if not iskeyword(name)]
        parameters += [inspect.Parameter(name, keyword, default=default) for name, default in options.items()]
        return inspect.Signature(parameters)

    def __repr__(self) -> str:
        try:
            arguments = ", ".join(argument.declaration for argument in self._all_arguments())
        except MetalError:  # where only a pipeline tells, and that wants values for function constants
            arguments = "..."
        constants = "".join(f" {name}={value}" for name, value in self.constants.items())
        return f"<kernel {self.name}({arguments}){constants}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        from .notebook.describe import mime_bundle

        return mime_bundle(self)

    def _describe(self) -> str:
        lines = [self.signature or self.name]
        if self.comment:
            lines += ["", self.comment.strip()]
        info = self._function.info if self._function is not None else None
        if info is not None and (info.arguments or self._attributes()):
            arguments = [*(Argument.from_native(native) for native in info.arguments), *self._attributes()]
            width = max(len(a.name) for a in arguments)
            lines += ["", "Arguments:"]
            lines += [f"    {a.name:{width}}  {a.type_text}  {a.place}" for a in arguments]
        return "\n".join(lines)

    def _arguments(self) -> tuple[Argument, ...]:
        """By the function where the device tells, else by the pipeline."""
        if self._ready is not None:
            return self._ready.arguments
        info = self._function.info if self._function is not None else None
        if info is not None:
            return tuple(Argument.from_native(native) for native in info.arguments)
        return self._prepared().arguments

    def _attributes(self) -> tuple[StageAttribute, ...]:
        """Members of ``[[stage_in]]``."""
        if self._ready is not None:
            return self._ready.attributes
        function = self._function
        return () if function is None else tuple(map(StageAttribute.from_attribute, function.stage_input_attributes))

    def _all_arguments(self) -> tuple[Argument, ...]:
        return (*self._arguments(), *self._attributes())

    # ---- function constants ----

    def specialize(self, **constants: Any) -> Kernel:
        """Give a kernel with values for its function constants; those given before stay.

        Raises
        ------
        ValidationError
            If there is no such constant, or the value is not of its type.
        """
        return Kernel(self._code, self.name, self._merged(constants))

    # ---- calling ----

    def __call__(
        self, /, *args: Any, grid: Any = None, threadgroup: Any = None, wait: bool = True, **named: Any
    ) -> Any:
        """Run the kernel.

        Parameters
        ----------
        *args
            The kernel's arguments, in the order of the source; attributes of ``[[stage_in]]`` go by name.
        grid : int or tuple of int, optional
            Threads in x, y, z. Default: one for each element of the first output, else of the first array or texture
            that the kernel writes; of the arrays of ``[[stage_in]]`` where no more than one element is written.
        threadgroup : int or tuple of int, optional
            Threads per threadgroup. Default: a good size.
        wait : bool
            False returns a :class:`Handle` at once.
        **named
            Arguments by their names in the source.

        Raises
        ------
        ArgumentError
            If the arguments do not fit the kernel's signature.
        ValidationError
            If a size is not allowed.
        ExecutionError
            If the kernel fails while it runs.
        """
        __tracebackhide__ = True
        ready = self._ready or self._prepared()
        plain = ready.plain
        if (
            plain is not None
            and wait is True
            and threadgroup is None
            and not (named or ready.attributes or _recording.recorders)
        ):
            try:
                result = _plain_call.call(self._code.device, ready, plain, args, grid)
            except KeyboardInterrupt:
                raise interrupted(f"{self.name} was stopped") from None
            if result is not _plain_call.NOT_PLAIN:
                return result
        wait = flag(wait, f"{self.name}: wait")
        stage = self._bind_stage(ready, named) if ready.attributes else None
        call = self._bind(ready, args, named)
        if stage is not None:
            call.put_buffers(stage.items)
        try:
            threads = self._grid(ready, call, grid, stage)
        except ValidationError as error:
            raise self._wrong_grid(error, ready, call) from None
        if threadgroup is None:
            group = ready.required or good_threadgroup(threads, ready.width, ready.limit)
        else:
            group = self._threadgroup(ready, threadgroup)
        if stage is not None:
            stage.check_grid(threads[0], self.name)
        pipeline = ready.pipeline if stage is None else ready.pipeline_for(stage)
        result = ready.result(call)
        if min(threads) == 0:
            return result if wait else Handle(None, call.finish, result)
        try:
            command_buffer = mtl.dispatch(
                self._code.device._queue,
                pipeline,
                call.buffers,
                call.textures,
                call.samplers,
                call.lengths,
                threads,
                group,
                wait=wait,
            )
        except KeyboardInterrupt:
            raise interrupted(f"{self.name} was stopped") from None
        if _recording.recorders:
            work = _recording.Work(self.name, math.prod(threads), call.traffic(ready.arguments))
            _recording.submitted(self._code.device, command_buffer, [work])
        if not wait:
            return Handle(command_buffer, call.finish, result)
        self._code.device._pending.raise_failure()
        call.finish()
        return result

    def time(
        self,
        /,
        *args: Any,
        repeat: int | None = None,
        warmup: int = 1,
        bytes: int | None = None,
        flops: float | None = None,
        grid: Any = None,
        threadgroup: Any = None,
        **named: Any,
    ) -> Timing:
        """Time calls with these arguments: on the device, around it, and the compiler, apart.

        The kernel runs `warmup` + `repeat` times; arrays that it changes are changed as often.

        Parameters
        ----------
        *args
            As in a call.
        repeat : int, optional
            Calls to measure; default: as many as fill about 0.3 s, 5 to 100.
        warmup : int
            Calls before, in which caches fill and the processor wakes up.
        bytes, flops : optional
            What one call reads and writes, and computes. Default of `bytes`: each array read once or written once or
            both, as the kernel declares it.
        grid, threadgroup, **named
            As in a call.

        Returns
        -------
        Timing
        """
        from .timing import measure

        __tracebackhide__ = True
        sizes = {"grid": grid, "threadgroup": threadgroup}
        run = partial(self, *args, **sizes, **named)
        return measure(run, self.name, repeat=repeat, warmup=warmup, bytes=bytes, flops=flops)

    def explain(self, /, *args: Any, grid: Any = None, threadgroup: Any = None, **named: Any) -> Explanation:
        """Tell why the kernel is slow, line by line: what the software device's compiler made of it.

        Without arguments the kernel does not run, and only what the compiler knows is told. With arguments it runs
        once, with code that counts (which takes longer than a call), and what it changes is changed.

        Parameters
        ----------
        *args, grid, threadgroup, **named
            As in a call.

        Returns
        -------
        Explanation

        Raises
        ------
        MetalError
            If the device is not a software device.
        """
        from .explanation import explain

        __tracebackhide__ = True
        return explain(self, args, {"grid": grid, "threadgroup": threadgroup}, named)

    def _with(self, ready: Ready) -> Kernel:
        """Give the same kernel with other code."""
        other = Kernel(self._code, self.name, self.constants)
        other._ready = ready
        return other

    def _bind(self, ready: Ready, args: tuple[Any, ...], named: dict[str, Any]) -> Call:
        __tracebackhide__ = True
        arguments = ready.arguments
        call = Call(self._code.device)
        if len(args) > len(arguments):
            raise self._too_many(arguments, args)
        given = len(args)
        for i, argument in enumerate(arguments):
            if i < given:
                if named and argument.name in named:
                    raise self._wrong(f"{argument.name} is given twice, by position and by name", i)
                value = args[i]
            elif argument.name in named:
                value = named.pop(argument.name)
            elif argument.is_optional:
                continue
            else:
                raise self._missing(arguments, len(args), named)
            try:
                call.bind(argument, value)
            except Mismatch as mismatch:
                gap = "" if mismatch.problem.startswith(".") else " "
                raise self._wrong(f"{argument.name}{gap}{mismatch.problem}", i, mismatch.advice) from None
        if named:
            raise self._unknown(next(iter(named)))
        return call

    def _bind_stage(self, ready: Ready, named: dict[str, Any]) -> StageCall:
        """Take the attributes out of `named`."""
        __tracebackhide__ = True
        given = split(named, ready.attributes)
        stage = StageCall()
        for i, (attribute, place) in enumerate(zip(ready.attributes, ready.places, strict=True)):
            if attribute.name not in given:
                if named.keys() - self.arguments.keys():
                    raise self._unknown(next(iter(named.keys() - self.arguments.keys())))
                text = f"{attribute.name} is missing, the {attribute.type_text} of each thread"
                raise self._wrong(text, len(ready.arguments) + i, f"add {attribute.name}=..., an array by name")
            try:
                stage.bind(attribute, given[attribute.name], place, self._code.device)
            except Mismatch as mismatch:
                text = f"{attribute.name} {mismatch.problem}"
                raise self._wrong(text, len(ready.arguments) + i, mismatch.advice) from None
        return stage

    def _grid(self, ready: Ready, call: Call, grid: Any, stage: StageCall | None) -> Size:
        if grid is not None:
            return checked(grid, "grid")
        shape = call.shape
        if stage is not None and stage.threads is not None and call.tells_no_grid:
            return checked(stage.threads, "grid")
        if shape is None:
            raise ValidationError(
                "give grid=(x, y, z), the number of threads: the kernel writes to no argument whose shape could tell it"
            )
        return grid_of_shape(shape, ready.position_rank)

    def _threadgroup(self, ready: Ready, threadgroup: Any) -> Size:
        __tracebackhide__ = True
        try:
            return check_threadgroup(checked(threadgroup, "threadgroup"), ready.limit, ready.required)
        except ValidationError as error:
            text = f"{self.name}: {error}"
            raise advised(ValidationError, text, "leave threadgroup out, and a good size is chosen") from None

    def _wrong_grid(self, error: ValidationError, ready: Ready, call: Call) -> ValidationError:
        arrays = [a.name for a in ready.arguments if a.kind == "buffer" and not a.takes_value]
        advice = "leave grid out for one thread per element"
        if call.shape is None:
            advice = f"add grid={arrays[0]}.size for one thread per element" if arrays else "add grid=1 for one thread"
        elif "more than 3 axes" in str(error):
            advice = ""
        return advised(ValidationError, f"{self.name}: {error}", advice)

    def _too_many(self, arguments: tuple[Argument, ...], args: tuple[Any, ...]) -> ArgumentError:
        extra = args[len(arguments)]
        advice = ""
        if isinstance(extra, (int, tuple)):
            advice = f"sizes go by name: grid={extra!r} for the number of threads"
        return self._wrong(f"takes {counted(len(arguments), 'argument')}, got {len(args)}", None, advice)

    def _missing(self, arguments: tuple[Argument, ...], given: int, named: dict[str, Any]) -> ArgumentError:
        missing = [i for i, a in enumerate(arguments) if i >= given and a.name not in named and not a.is_optional]
        unknown = [name for name in named if name not in self.arguments]
        if unknown:
            return self._unknown(unknown[0])
        names = ", ".join(arguments[i].name for i in missing)
        text = f"takes {counted(len(arguments), 'argument')}, missing: {names}"
        return self._wrong(text, missing, how_to_give(arguments[missing[0]]))

    def _unknown(self, name: str) -> ArgumentError:
        hint = did_you_mean(name, [*self.arguments, "grid", "threadgroup", "wait"])
        meant = [i for i, argument in enumerate(self.arguments) if hint.endswith(f"{argument!r}?")]
        advice = _IN_A_COMMAND_BUFFER if name in ("cb", "command_buffer", "queue") else ""
        return self._wrong(f"has no argument {name!r}{hint}", meant, advice)

    def _wrong(self, problem: str, marked: Sequence[int] | int | None, advice: str = "") -> ArgumentError:
        marks = [marked] if isinstance(marked, int) else marked or ()
        text = f"{self.name}: {problem}\n\n{marked_signature(self.name, self._all_arguments(), marks)}"
        return advised(ArgumentError, text, advice.replace(KERNEL, self.name))

    # ---- the pipeline, made when it is first needed ----

    def _prepared(self) -> Ready:
        __tracebackhide__ = True
        with self._lock:
            if self._ready is None:
                with _recording.compiling():
                    self._ready = self._make_ready()
            return self._ready

    def _make_ready(self) -> Ready:
        function = self._specialized()
        info = function.info or (self._function.info if self._function is not None else None)
        arguments = tuple(map(Argument.from_native, info.arguments)) if info is not None else None
        return make_ready(self._code.device, function, arguments, position_rank(self.signature))

    # ---- pickling: the source travels, and is compiled where it arrives ----

    def __reduce__(self) -> tuple[Callable[..., Kernel], tuple[Any, ...]]:
        return _restore, (self._code.source, self.name, dict(self.constants), dict(self._code.options))


# A worker process gets the same kernel again with every task. So many are kept, the last ones that came.
_MOST_RESTORED = 32
_restored: OrderedDict[tuple[Any, ...], Kernel] = OrderedDict()
_restoring = threading.Lock()


def _restore(source: str, name: str, constants: dict[str, Any], options: dict[str, Any]) -> Kernel:
    """Make a pickled kernel again on this process's default device; the same one for the same text."""
    from ._default_device import default_device

    device = default_device()
    # A kernel that is kept keeps its device, so no other has that number.
    key = (id(device), source, name, repr(sorted(constants.items())), repr(sorted(options.items())))
    with _restoring:
        kernel = _restored.get(key)
        if kernel is None:
            kernel = _restored[key] = Kernel(device.library(source, options=options)._code, name, constants)
        _restored.move_to_end(key)
        while len(_restored) > _MOST_RESTORED:
            _restored.popitem(last=False)
    return kernel


def _free_name(name: str, position: int, taken: Container[str]) -> str:
    """Give the name that an argument has in Python's signature."""
    if not name.isidentifier():
        return f"argument_{position}"
    return f"{name}_" if name in taken else name
