# SPDX-License-Identifier: BSD-3-Clause
"""gdb for programs of portable.h, on the targets of the CPU: gdb -x host/project/gdb/portable.py PROGRAM

    info block              the kernel, the block and the thread that run; on emulate also where
                            every other thread of the block is
    block B thread T        emulate: shows the stack of another thread; back with the next command
                            that lets the program run, or with `block`
    info allocation [X]     the device memory that X points into; without X, all there is
    $at(B, T), $at(B)       1 in thread T of block B, for conditions: break x.c:9 if $at(2, 5)
    $mine(P), $mine(P, T)   this thread's value of the PRIVATE P, or thread T's
    $device(X)              an array from X to the end of its allocation

B and T are linear numbers, x fastest, from 0, as in PORTABLE_BREAK; `block` takes indices as well:
(5, 0, 0). Numbers of 16 bits print as numbers. docs/debugging.md has examples.
"""
import re
import struct

import gdb
import gdb.printing

# ---- numbers and indices ----


def linear(index, extents):
    return index[0] + extents[0] * (index[1] + extents[1] * index[2])


def index_of(number, extents):
    x, y = max(extents[0], 1), max(extents[1], 1)
    return (number % x, number // x % y, number // x // y)


def text_of(index):
    return "(%d, %d, %d)" % tuple(index)


def product(extents):
    return extents[0] * extents[1] * extents[2]


def ranges(numbers, most=8):
    """0-3, 7, 9-12"""
    parts = []
    for n in numbers:
        if parts and parts[-1][1] == n - 1:
            parts[-1][1] = n
        else:
            parts.append([n, n])
    told = ["%d" % a if a == b else "%d-%d" % (a, b) for a, b in parts[:most]]
    return ", ".join(told) + (", ..." if len(parts) > most else "")


# ---- what runs ----


def variable(name):
    """A global variable of the program, or None."""
    symbol = gdb.lookup_global_symbol(name)
    return symbol.value() if symbol else None


def is_emulate():
    return gdb.lookup_global_symbol("portable_emulate_run_") is not None


class Where:
    """The kernel and its shape; the block, and the thread or None, as linear numbers too."""

    def __init__(self, kernel, grid, shape, block, thread, warp=None):
        self.kernel, self.grid, self.shape = kernel, grid, shape
        self.block, self.thread, self.warp = block, thread, warp
        self.block_number = linear(block, grid)
        self.thread_number = None if thread is None else linear(thread, shape)

    def first_line(self):
        return "kernel %s, grid %s of blocks %s" % (
            self.kernel, text_of(self.grid), text_of(self.shape))

    def block_line(self):
        return "block %d %s" % (self.block_number, text_of(self.block))


def local_index(frame, name):
    """The three numbers of an index that is in scope in the frame, or None."""
    try:
        value = frame.read_var(name)
        axes = [value[axis] for axis in "xyz"]
    except (ValueError, RuntimeError, gdb.error):
        return None  # not in scope, where portable.h declares a type without a definition
    if any(axis.is_optimized_out for axis in axes):
        raise gdb.GdbError("%s is optimized out: make debug builds without optimisation." % name)
    return [int(axis) for axis in axes]


def where_in_loops():
    """Where the selected frame, or the nearest caller that is in a block, is."""
    frame = gdb.selected_frame()
    while frame is not None:
        block = local_index(frame, "blockIdx")
        grid, shape = local_index(frame, "gridDim"), local_index(frame, "blockDim")
        if block and grid and shape:
            warp = None
            try:
                value = frame.read_var("portable_warp_")
                warp = None if value.type.code == gdb.TYPE_CODE_ENUM else int(value)
            except (ValueError, gdb.error):
                pass
            return Where(frame.name(), grid, shape, block, local_index(frame, "threadIdx"), warp)
        frame = frame.older()
    return None


class Scheduler:
    """The state of host/emulate/emulate.c while a kernel runs."""

    STATES = ("FRESH", "READY", "AT_BLOCK", "AT_WARP", "AT_GRID", "ENDED", "AT_ACTIVE", "AT_PART", "AT_WORD",
              "AT_POLL")

    def __init__(self):
        self.state = variable("emulate")
        self.now = gdb.parse_and_eval("'host/emulate/emulate.c'::first_worker")
        self.thread_type = self.now["threads"].type.target()
        self.count = int(self.state["threads"])
        self.block_number = int(self.now["block_id"])
        self.thread_number = int(self.now["thread"])
        self.grid = [int(self.state["grid"][k]) for k in range(3)]
        self.shape = [int(self.state["block"][k]) for k in range(3)]
        self.all_blocks = self.cooperative()

    @staticmethod
    def cooperative():
        """1 where the threads of all blocks are there, and not those of one alone."""
        try:
            return bool(gdb.parse_and_eval("portable_launch_.cooperative"))
        except gdb.error:  # a variable of the OS thread, which gdb may not find
            return False

    def offset(self, field):
        return next(f.bitpos // 8 for f in self.thread_type.fields() if f.name == field)

    def threads(self, first, count):
        """Of each: its state, and where it waits or last waited, as (name, file, line)."""
        size = self.thread_type.sizeof
        memory = gdb.selected_inferior().read_memory(int(first), count * size).tobytes()
        at = {f: self.offset(f) for f in ("state", "name", "file", "line")}
        for t in range(count):
            one = memory[t * size:(t + 1) * size]
            state, line = struct.unpack_from("=i", one, at["state"])[0], \
                struct.unpack_from("=i", one, at["line"])[0]
            name, file = struct.unpack_from("=Q", one, at["name"])[0], \
                struct.unpack_from("=Q", one, at["file"])[0]
            yield self.STATES[state], (name, file, line)

    def where(self):
        thread = self.thread_number
        return Where(self.state["kernel"].string(), self.grid, self.shape,
                     index_of(self.block_number, self.grid), index_of(thread, self.shape))


def scheduler():
    """The scheduler, or None when no kernel runs."""
    state = variable("emulate")
    if state is None:
        raise gdb.GdbError("host/emulate/emulate.c was compiled without -g")
    return Scheduler() if int(state["kernel"]) else None


def c_string(address):
    pointer = gdb.lookup_type("char").pointer()
    return gdb.Value(address).cast(pointer).string()


def place(where):
    name, file, line = where
    return "%s, %s:%d" % (c_string(name), re.sub(r"^(\./)+", "", c_string(file)), line)


def needs_process():
    if gdb.selected_thread() is None:
        raise gdb.GdbError("The program is not being run.")


def where_now():
    """Where the program is, or None outside of a block."""
    if gdb.selected_thread() is None:
        return None
    if is_emulate():
        s = scheduler()
        return s.where() if s else None
    return where_in_loops()


# ---- the view of another thread's stack, on emulate ----


class View:
    """A thread that waits is its stack pointer. The view puts that in $sp, and in $pc an address
    whose call frame information says where the rest is saved; all other registers stay. What is
    there is no instruction, so that a program that is let run with the view on comes back at once
    with SIGILL, and nothing is lost."""

    saved = None

    @classmethod
    def begin(cls, block, thread, stopped):
        indices = [(variable("blockIdx"), block), (variable("threadIdx"), thread)]
        inferior = gdb.selected_inferior()
        if cls.saved and cls.saved["thread"] != gdb.selected_thread():
            cls.end()
        if cls.saved is None:
            frame = gdb.newest_frame()
            cls.saved = {
                "thread": gdb.selected_thread(),
                "sp": int(frame.read_register("sp")),
                "pc": int(frame.read_register("pc")),
                "memory": [(int(v.address), inferior.read_memory(int(v.address), 12).tobytes())
                           for v, _ in indices],
            }
        try:
            cls.registers(stopped, cls.trap())
        except gdb.error:
            cls.saved = None
            raise gdb.GdbError("It takes a running program: a core file stays as it is.")
        for value, index in indices:
            inferior.write_memory(int(value.address), struct.pack("=3I", *index))

    @classmethod
    def end(cls):
        """Back to the running thread; 0 when there is no view."""
        saved, cls.saved = cls.saved, None
        if saved is None or not saved["thread"].is_valid():
            return False
        selected = gdb.selected_thread()
        saved["thread"].switch()
        cls.registers(saved["sp"], saved["pc"])
        for address, bytes_ in saved["memory"]:
            gdb.selected_inferior().write_memory(address, bytes_)
        if selected is not None and selected.is_valid():
            selected.switch()
        return True

    @staticmethod
    def registers(sp, pc):
        gdb.newest_frame().select()
        gdb.execute("set var $sp = (void *) %d" % sp, to_string=True)
        gdb.execute("set var $pc = (void (*)(void)) %d" % pc, to_string=True)

    @staticmethod
    def trap():
        return int(gdb.parse_and_eval("(long) &portable_emulate_viewed_"))

    @classmethod
    def stack_pointer(cls, thread):
        """Of an OS thread, which becomes the selected one."""
        thread.switch()
        if cls.saved and cls.saved["thread"] == thread:
            return cls.saved["sp"]
        return int(gdb.newest_frame().read_register("sp"))

    @classmethod
    def on_stop(cls, _):
        """Something let the program run with the view on: gdb/MI knows no hooks."""
        if cls.saved is None or not cls.saved["thread"].is_valid():
            cls.saved = None
            return
        selected = gdb.selected_thread()
        cls.saved["thread"].switch()
        came_back = int(gdb.newest_frame().read_register("pc")) == cls.trap()
        if came_back:
            gdb.execute("queue-signal 0", to_string=True)  # the program is not to have it
        if selected is not None:
            selected.switch()
        if came_back and cls.end():
            print("The view of a waiting thread has ended; give the command again.")

    @classmethod
    def on_exit(cls, _):
        cls.saved = None

    @classmethod
    def on_quit(cls, _):
        cls.end()


def runner(s):
    """The OS thread that is on the stack of a simulated thread, or None between two."""
    begin = int(s.state["stacks"])
    end = begin + int(s.state["stacks_bytes"])
    selected, frame = gdb.selected_thread(), gdb.selected_frame()
    found = None
    for thread in [selected] + [t for t in gdb.selected_inferior().threads() if t != selected]:
        if begin <= View.stack_pointer(thread) < end:
            found = thread
            break
    selected.switch()
    frame.select()
    return found


def select_kernel_frame():
    """The newest frame that is neither the scheduler's nor portable.h's."""
    frame = gdb.newest_frame()
    while frame is not None:
        table = frame.find_sal().symtab
        if table and not re.search(r"(^|/)(host/emulate/\w+\.[ch]|portable\.h)$", table.filename):
            frame.select()
            return
        frame = frame.older()
    gdb.newest_frame().select()


class Block(gdb.Command):
    """block B thread T: shows the stack of thread T of block B, on the emulate target.

backtrace, frame, up, down, print and info locals then are that thread's, and so are blockIdx and
threadIdx. B and T are linear numbers, x fastest, from 0, or indices: (5, 0, 0). The block is the
one that runs; in a cooperative launch any that has started. `block` alone goes back to the thread
that runs, and so does every command that lets the program run."""

    NUMBER = r"(\d+|\(\s*\d+\s*(?:,\s*\d+\s*){0,2}\))"

    def __init__(self):
        super().__init__("block", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        needs_process()
        match = re.fullmatch(r"(?:%s\s+thread\s+%s)?" % (self.NUMBER, self.NUMBER),
                             argument.strip())
        if not match:
            raise gdb.GdbError("It is: block B thread T; as in: block 2 thread 5")
        if not is_emulate():
            thread = match.group(2) or "5"
            raise gdb.GdbError(
                "Here a block's threads are turns of loops, and have no stacks: $mine(P, %s) is "
                "thread %s's value of a PRIVATE P,\nand break FILE:LINE if $at(B, T) stops in "
                "another thread." % (thread, thread))
        s = scheduler()
        if s is None:
            raise gdb.GdbError("No kernel runs.")
        if match.group(1) is None:
            self.back(s)
            return
        block = self.number(match.group(1), s.grid, "block")
        thread = self.number(match.group(2), s.shape, "thread")
        self.view(s, block, thread)

    @staticmethod
    def number(text, extents, what):
        given = [int(n) for n in re.findall(r"\d+", text)]
        index = given + [0] * (3 - len(given))
        inside = all(index[k] < extents[k] for k in range(3)) if text.startswith("(") else \
            given[0] < product(extents)
        if not inside:
            raise gdb.GdbError("There is no %s %s: the %s is %s." % (
                what, text, "grid" if what == "block" else "block", text_of(extents)))
        return linear(index, extents) if text.startswith("(") else given[0]

    @staticmethod
    def show(s, block, thread, what):
        print("block %d %s, thread %d %s %s" % (
            block, text_of(index_of(block, s.grid)), thread, text_of(index_of(thread, s.shape)),
            what))
        select_kernel_frame()
        gdb.execute("frame")

    def back(self, s):
        View.end()
        running = runner(s)
        if running is None:
            raise gdb.GdbError("No thread of the block runs: the scheduler is between two.")
        running.switch()
        self.show(s, s.block_number, s.thread_number, "runs")

    def view(self, s, block, thread):
        stop = "tbreak %s if $at(%d, %d)" % (s.state["kernel"].string(), block, thread)
        if block != s.block_number and not s.all_blocks:
            raise gdb.GdbError("Block %d runs, and block %d does not: it has ended or not started. "
                               "To stop where it starts:\n%s" % (s.block_number, block, stop))
        if (block, thread) == (s.block_number, s.thread_number) and runner(s):
            self.back(s)
            return
        first = s.now["threads"] + block * s.count if s.all_blocks else s.now["block"]
        state, at = next(s.threads(first + thread, 1))
        if state == "FRESH":
            raise gdb.GdbError("Block %d, thread %d has not started. To stop where it does:\n%s" %
                               (block, thread, stop))
        if state == "ENDED":
            raise gdb.GdbError("Block %d, thread %d has ended." % (block, thread))
        View.begin(index_of(block, s.grid), index_of(thread, s.shape),
                   int((first + thread)["stopped"]))
        self.show(s, block, thread, ("has passed %s, and waits for its turn" if state == "READY"
                                     else "waits at %s") % place(at))
        if block != s.block_number:
            print("shared memory is block %d's, which runs" % s.block_number)


class Resume(gdb.Command):
    """Ends the view of another thread, before the program runs on: for hooks."""

    def __init__(self):
        super().__init__("portable-resume", gdb.COMMAND_OBSCURE)

    def invoke(self, argument, from_tty):
        View.end()


# ---- info block ----


class InfoBlock(gdb.Command):
    """The kernel, its grid, and the block and thread that run.

On the emulate target also where every other thread of the block is: it has not started, waits at a
barrier, waits for its turn or has ended. block B thread T shows the stack of one that waits."""

    def __init__(self):
        super().__init__("info block", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        needs_process()
        if is_emulate():
            s = scheduler()
            if s is None:
                raise gdb.GdbError("No kernel runs.")
            self.emulate(s)
            return
        here = where_in_loops()
        if here is None:
            raise gdb.GdbError("The selected frame and its callers are in no FOR_EACH_BLOCK.")
        print(here.first_line())
        if here.thread is not None:
            print("%s, thread %d %s" % (here.block_line(), here.thread_number,
                                        text_of(here.thread)))
        elif here.warp is not None:
            print("%s, warp %d" % (here.block_line(), here.warp))
        else:
            print("%s, outside the loops over its threads" % here.block_line())

    @staticmethod
    def emulate(s):
        here = s.where()
        running = s.thread_number if runner(s) else None
        print(here.first_line())
        print(here.block_line() + (
            ", between two threads" if running is None else
            ", thread %d %s runs" % (running, text_of(here.thread))))
        groups = {}
        for t, (state, at) in enumerate(s.threads(s.now["block"], s.count)):
            if t != running:
                waits = state not in ("FRESH", "ENDED")
                groups.setdefault((state, place(at) if waits else None), []).append(t)
        sentences = {
            "FRESH": ("has not started", "have not started"),
            "ENDED": ("has ended", "have ended"),
            "READY": ("has passed %s, and waits for its turn", "have passed %s, and wait for "
                      "their turn"),
        }
        for (state, at), numbers in sorted(groups.items(), key=lambda g: g[1][0]):
            one, many = sentences.get(state, ("waits at %s", "wait at %s"))
            sentence = many if len(numbers) > 1 else one
            print("%d thread%s %s: %s" % (
                len(numbers), "s" if len(numbers) > 1 else "", sentence % at if at else sentence,
                ranges(numbers)))
        if s.all_blocks:
            InfoBlock.other_blocks(s)

    @staticmethod
    def other_blocks(s):
        groups = {}
        states = [state for state, _ in s.threads(s.now["threads"], product(s.grid) * s.count)]
        for b in range(product(s.grid)):
            of_block = states[b * s.count:(b + 1) * s.count]
            what = "wait for the grid" if "AT_GRID" in of_block else \
                "have ended" if "ENDED" in of_block else "have not started"
            if b != s.block_number:
                groups.setdefault(what, []).append(b)
        for what, numbers in groups.items():
            print("blocks that %s: %s" % (what, ranges(numbers)))


# ---- conditions and privates ----


class At(gdb.Function):
    """$at(B, T): 1 in thread T of block B, else 0; $at(B): in any of block B's, or at block scope.

B and T are linear numbers, x fastest, from 0. The same on serial, openmp and emulate."""

    def __init__(self):
        super().__init__("at")

    def invoke(self, block, thread=None):
        here = where_now()
        return int(here is not None and here.block_number == int(block) and
                   (thread is None or here.thread_number == int(thread)))


class Mine(gdb.Function):
    """$mine(P): the value of the PRIVATE P in this thread; $mine(P, T): in thread T of the block.

On emulate a PRIVATE is a variable of each thread's own, and block B thread T shows another's."""

    def __init__(self):
        super().__init__("mine")

    def invoke(self, private, thread=None):
        if is_emulate():
            if thread is not None:
                s = scheduler()
                raise gdb.GdbError("Here each thread has a stack of its own: block %d thread %d, "
                                   "then print it." % (s.block_number if s else 0, int(thread)))
            return private
        # gdb gives a function an array as a pointer to its first element.
        if private.type.strip_typedefs().code not in (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_PTR):
            raise gdb.GdbError("$mine takes a PRIVATE, which is an array over the block's threads.")
        here = where_in_loops()
        if here is None or (thread is None and here.thread is None):
            raise gdb.GdbError("No thread runs here: $mine(P, T) is thread T's.")
        number = here.thread_number if thread is None else int(thread)
        if not 0 <= number < product(here.shape):
            raise gdb.GdbError("There is no thread %d: the block is %s." % (
                number, text_of(here.shape)))
        return private[number]


# ---- device memory ----


# The values of portable.h's PORTABLE_DEVICE_MEMORY_ and the like.
KINDS = {0: "device memory", 1: "host memory", 3: "managed memory", 4: "registered host memory"}


def allocations():
    table = variable("portable_table_")
    if table is None:
        raise gdb.GdbError("The program has no portable_table_: was it compiled with -g?")
    entries = [table["entries"][k] for k in range(int(table["count"]))]
    for entry in entries:
        if int(entry["bytes"]) > 0 and int(entry["kind"]) in KINDS:
            yield int(entry["base"]), int(entry["bytes"]), KINDS[int(entry["kind"])]


def allocation_of(address):
    for base, size, kind in allocations():
        if base <= address < base + size:
            return base, size, kind
    raise gdb.GdbError("0x%x is in no live allocation." % address)


def as_pointer(value):
    kind = value.type.strip_typedefs().code
    if kind == gdb.TYPE_CODE_ARRAY:
        return value[0].address
    if kind != gdb.TYPE_CODE_PTR:
        raise gdb.GdbError("It is no pointer.")
    return value


def element_of(pointer):
    """The type that it points to, a byte for void."""
    target = pointer.type.strip_typedefs().target().strip_typedefs()
    return target if target.sizeof > 0 and target.code not in (
        gdb.TYPE_CODE_VOID, gdb.TYPE_CODE_FUNC) else gdb.lookup_type("unsigned char")


class InfoAllocation(gdb.Command):
    """info allocation X: the allocation that X points into, and where in it; without X, all.

Device memory, and host memory of portable_malloc_host."""

    def __init__(self):
        super().__init__("info allocation", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        needs_process()
        if not argument:
            count = total = 0
            for base, size, kind in allocations():
                print("0x%x: %d bytes of %s" % (base, size, kind))
                count, total = count + 1, total + size
            print("%d allocation%s, %d bytes" % (count, "" if count == 1 else "s", total))
            return
        pointer = as_pointer(gdb.parse_and_eval(argument))
        address, element = int(pointer), element_of(pointer)
        base, size, kind = allocation_of(address)
        print("%s: byte %d of %d bytes of %s at 0x%x" % (
            argument, address - base, size, kind, base))
        if (address - base) % element.sizeof == 0:
            print("element %d of %d of type %s" % (
                (address - base) // element.sizeof, size // element.sizeof, element))


class Device(gdb.Function):
    """$device(X): what X points to, as an array up to the end of its allocation.

gdb prints no more than 64 KiB of it at once, unless told: set max-value-size unlimited."""

    def __init__(self):
        super().__init__("device")

    def invoke(self, pointer):
        pointer = as_pointer(pointer)
        element = element_of(pointer)
        base, size, _ = allocation_of(int(pointer))
        count = (base + size - int(pointer)) // element.sizeof
        if count == 0:
            raise gdb.GdbError("Less than one element is left of the allocation.")
        return pointer.cast(element.array(count - 1).pointer()).dereference()


# ---- numbers of 16 bits ----


class Half:
    def __init__(self, value):
        self.bits = int(value["bits"])

    def to_string(self):
        return "%.6g" % struct.unpack("<e", struct.pack("<H", self.bits))[0]


class Bfloat16(Half):
    def to_string(self):
        return "%.6g" % struct.unpack("<f", struct.pack("<I", self.bits << 16))[0]


def printers():
    collection = gdb.printing.RegexpCollectionPrettyPrinter("portable.h")
    collection.add_printer("half", "^half$", Half)
    collection.add_printer("bfloat16", "^bfloat16$", Bfloat16)
    return collection


# ---- installing it ----

RESUMING = ("continue step next stepi nexti until advance finish run start starti jump signal "
            "return detach kill").split()


def hook(name):
    """Ends the view before the command, unless the user has a hook of that name: then SIGILL
    does."""
    try:
        gdb.execute("show user hook-" + name, to_string=True)
    except gdb.error:
        gdb.execute("define hook-%s\nportable-resume\nend" % name)


def install():
    if "CUDA" in gdb.execute("show version", to_string=True):
        print("portable.py is for the CPU targets; cuda-gdb has commands of its own.")
        return
    for command in (Block, Resume, InfoBlock, At, Mine, InfoAllocation, Device):
        command()
    gdb.printing.register_pretty_printer(None, printers(), replace=True)
    for name in RESUMING:
        hook(name)
    gdb.events.stop.connect(View.on_stop)
    gdb.events.exited.connect(View.on_exit)
    if hasattr(gdb.events, "gdb_exiting"):
        gdb.events.gdb_exiting.connect(View.on_quit)


install()
