using System.Globalization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Debug;
using MgbaBridge.Gateway.Operations.Waits;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Tools;

/// <summary>Breakpoints, steps, and where a halted game is.</summary>
internal static class DebugTools
{
    private const int LinesBefore = 4;
    private const int LinesShown = 10;
    private const int MaxLines = 128;
    private const int MaxWrites = 20;
    private const int MaxEvents = 100;
    private const int FunctionsShown = 8;
    private const long Thumb = 0x20; // of cpsr

    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(20);

    private static readonly Parameter<long?> Seconds = DebugOperations.Seconds with
    {
        Sentence = "After how many seconds a halt ends by itself, and the game runs on. It also ends when you disconnect, and does so after 600 seconds for clients without a session.",
    };

    public static AgentTool Break { get; } = new AgentTool<BreakRequest, PointsShown>("debug_break", Access.Write)
    {
        Title = "Set a breakpoint or watchpoint",
        IsRare = true,
        Toolset = Toolsets.Debug,
        Serves = new Dictionary<Operation, string> { [DebugOperations.List] = " with action list" },
        Description = "Halts the game where an instruction is executed, or a place in memory is read or written; then debug_where says who did it. add sets a point, remove takes one away (all of yours without point), list shows all with "
            + "how often they were hit. A call that runs frames (press, wait_until, step) ends when the game is halted. Points end when you disconnect.",
        Request = Parameters.Of(
            Parameter.Choice<BreakAction>("action", "What to do.").Or(BreakAction.Add),
            DebugOperations.Kind with { Sentence = "What hits it: execute, read, write, access (read or write), change (a write of another value), or interrupt (location is its vector: 0x18 on a GBA, 0x40 to 0x60 on a Game Boy)." },
            DebugOperations.Location.Optional() with { Sentence = "Where: a name (a property or a symbol), an address such as 0x080001F4, or an offset in a domain such as wram:0x2010, which on a Game Boy means its bank." },
            DebugOperations.Length with { Sentence = "How many bytes; those of the name, or 1, unless given." },
            DebugOperations.Condition with { Sentence = "What has to hold besides, with registers as places: r0 == 1 and player.hp < 5." },
            DebugOperations.Reports with { Sentence = "Whether hits are only counted, and the game runs on." },
            DebugOperations.Point.Optional() with { Sentence = "For remove: the number that add returned; all of yours unless given." },
            Seconds,
            static Made<BreakRequest> (action, kind, location, length, condition, reports, point, seconds) => action == BreakAction.Add && location is null
                ? new WrongParameters("add needs location: where, such as {\"location\": \"score\", \"kind\": \"change\"}.")
                : new BreakRequest(action, location is null ? null : new PointRequest(kind, location, length, null, condition, !reports, seconds), point)),
        Run = BreakAsync,
        Answer = DebugToolJson.Default,
    };

    public static AgentTool Step { get; } = new AgentTool<HowRequest, WhereAnswer>("debug_step", Access.Write)
    {
        Title = "Step, continue or halt",
        IsRare = true,
        Toolset = Toolsets.Debug,
        Serves = new Dictionary<Operation, string>
        {
            [DebugOperations.Continue] = " with kind continue",
            [DebugOperations.Halt] = " with kind halt",
            [HistoryOperations.Back] = " with kind back",
        },
        Description = "Executes instructions of a halted game and says where it is then. into: one instruction; over: and the function that it calls; out: until this function returns; to: until a location; "
            + "continue: until a point halts it or the frames have passed, after which the game runs on; halt: halts a game that runs. If its history is kept (who_wrote begins one), back: one instruction back; backToFrame: to the "
            + "beginning of its frame, or of the one before; backToPoint: to where a point would have halted it last. In the past, steps and continue repeat what happened.",
        Request = Parameters.Of(
            Parameter.Choice<HowKind>("kind", "How.").Or(HowKind.Into),
            DebugOperations.StepTo with { Sentence = "For to: a name, an address, or an offset in a domain." },
            Parameter.Integer("frames", 0, (long)Limits.Frames, "After how many frames (60 are a second) to end wherever the game is: a step halts it there, continue lets it run on.").Or(120),
            Seconds,
            static Made<HowRequest> (kind, location, frames, seconds) => kind == HowKind.To == location is null
                ? new WrongParameters("location is for the kind to, and needed there: {\"kind\": \"to\", \"location\": \"0x080001F4\"}.")
                : new HowRequest(kind, location, frames, seconds)),
        Run = StepAsync,
        Answer = DebugToolJson.Default,
    };

    public static AgentTool Where { get; } = new AgentTool<NoParameters, WhereAnswer>("debug_where", Access.Read)
    {
        Title = "Where the halted game is",
        IsRare = true,
        Toolset = Toolsets.Debug,
        Serves = new Dictionary<Operation, string> { [DebugOperations.Get] = "", [BacktraceOperations.Get] = "" },
        Description = "Says whether the game is halted and why (which point was hit, by which instruction, the values before and after), the place with its symbol, the registers, the code there and the functions that have called it. "
            + "Changes nothing.",
        IsIdempotent = true,
        Request = Parameters.None,
        Run = static async (call, _) => await WhereAsync(call, await call.RunAsync(DebugOperations.Get, default)),
        Answer = DebugToolJson.Default,
    };

    public static AgentTool WhoWrote { get; } = new AgentTool<WritersRequest, WritersShown>("who_wrote", Access.Write)
    {
        Title = "Who wrote to a place",
        IsRare = true,
        Toolset = Toolsets.Debug,
        Serves = new Dictionary<Operation, string> { [HistoryOperations.Writers] = "", [HistoryOperations.Keep] = "" },
        Description = "Names the last writes of another value to a place in memory: the frame, the instruction with its symbol, the values before and after, or DMA, or that it came from outside (a client, a freeze, a state). "
            + "The first call begins to keep the history of the game; play on until the value is wrong, and call it again.",
        Request = Parameters.Of(
            DebugOperations.Location with { Sentence = "Where: a name (a property or a symbol), an address such as 0x02000008, or an offset in a domain such as wram:0x2010." },
            Parameter.Integer("length", Limits.MinWriterLength, (long)Limits.WriterLength, "How many bytes; those of the name, or 1, unless given.").Optional(),
            Parameter.Integer("count", 1, (long)MaxWrites, "How many writes, the last one first.").Or(3),
            static (location, length, count) => new WritersRequest(location, length, null, count)),
        Run = WhoWroteAsync,
        Answer = DebugToolJson.Default,
    };

    public static AgentTool Trace { get; } = new AgentTool<TraceRequest, TraceShown>("trace", Access.Write)
    {
        Title = "What the game executed",
        IsRare = true,
        Toolset = Toolsets.Debug,
        Serves = new Dictionary<Operation, string> { [TraceOperations.Get] = "" },
        Description = "Lists what the game did in a frame and the following ones: instructions, calls, returns, interrupts, and writes to the registers of devices. Looks at the history of the game, which runs on undisturbed; the first "
            + "call begins to keep it. To continue, pass nextFrame as from and nextNumber as number.",
        Request = Parameters.Of(
            TraceOperations.Kinds with { Sentence = "Which events, separated by commas: instruction, call, return, interrupt, dma, display, sound, timer, serial." },
            TraceOperations.Location with { Sentence = "Of which instructions: a function by its name, or an address; all unless given." },
            TraceOperations.From with { Sentence = "From which frame on; the last one unless given." },
            Parameter.Integer("number", 0, (long)Limits.TraceNumber, "From which event of this frame on.").Or(0),
            Parameter.Integer("count", 1, (long)MaxEvents, "How many events.").Or(40),
            static (kinds, location, from, number, count) => new TraceRequest(kinds, location, null, from, number, count)),
        Run = TraceAsync,
        Answer = DebugToolJson.Default,
    };

    public static AgentTool Disassemble { get; } = new AgentTool<DisassemblyRequest, CodeShown>("disassemble", Access.Read)
    {
        Title = "Show code",
        IsRare = true,
        Toolset = Toolsets.Debug,
        Description = "Shows instructions as text, with the symbols of what they call, read and write. Changes nothing.",
        IsIdempotent = true,
        Request = Parameters.Of(
            DisassemblyOperations.Address with { Sentence = "Where to begin: a name, perhaps with an offset (update+0x10), an address, or an offset in a domain; the next instruction of the game unless given." },
            Parameter.Integer("count", 1, MaxLines, "How many instructions.").Or(16),
            DisassemblyOperations.Mode with { Sentence = "As which instructions: arm, thumb or sm83; as the processor executes them now unless given." },
            static (address, count, mode) => new DisassemblyRequest(address, count, mode, null)),
        Run = static async (call, request) =>
        {
            var code = await call.RunAsync(DisassemblyOperations.Get, request);
            return new CodeShown(call.Emulator.Id, code.Frame, [.. code.Instructions.Select(static instruction => LineOf(instruction))]);
        },
        Answer = DebugToolJson.Default,
    };

    public static AgentTool Hardware { get; } = new AgentTool<string?, HardwareShown>("hardware", Access.Read)
    {
        Title = "Show the state of devices",
        IsRare = true,
        Toolset = Toolsets.Debug,
        Description = "Shows the registers of display, sound, DMA, timers, interrupts, keys, serial port and memory, all of one frame, with what their bits mean. Changes nothing.",
        IsIdempotent = true,
        Request = HardwareOperations.Part,
        Run = HardwareAsync,
        Answer = DebugToolJson.Default,
    };

    /// <summary>Why the game is halted, and where, as a sentence.</summary>
    public static string Sentence(in DebuggerAnswer state) => $"{WhyOf(state)}; it is at {PlaceOf(state.Pc!, state.Bank, state.Symbol)}";

    private static async Task<PointsShown> BreakAsync(ToolCall call, BreakRequest request)
    {
        call.Note = $"{request.Action} {request.Add?.Kind} {request.Add?.Location}{request.Point}".TrimEnd().ToLowerInvariant();
        long? added = null;
        switch (request.Action)
        {
            case BreakAction.Add:
                added = (await call.RunAsync(DebugOperations.Add, call.Session.IsConnected ? request.Add! : request.Add! with { Seconds = request.Add.Seconds ?? DebugOperations.DefaultSeconds })).Point;
                break;
            case BreakAction.Remove when request.Point is { } point:
                await call.RunAsync(DebugOperations.Remove, point);
                break;
            case BreakAction.Remove:
                await call.RunAsync(DebugOperations.RemoveAll, default);
                break;
        }

        var list = await call.RunAsync(DebugOperations.List, default);
        var (game, _) = await DebuggedGame.ReadAsync(call.Invocation);
        var nameOf = game?.NamesIn(list.Epoch);
        return new PointsShown(call.Emulator.Id, list.Frame, added, [.. list.Points.Select(point => TextOf(point, nameOf))]);
    }

    private static string TextOf(in PointEntry point, Func<long, long?, string?>? nameOf)
    {
        var name = nameOf?.Invoke(long.Parse(point.First.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture), point.Bank);
        var range = point.First == point.Last ? point.First : $"{point.First} to {point.Last}";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{point.Point}: {point.Kind} {PlaceOf(range, point.Bank, name)}{(point.Condition is { } condition ? $" if {condition}" : "")}, {(point.Halts ? "halts" : "only reports")}, {point.Hits} hits, of {point.Holder}");
    }

    private static async Task<WhereAnswer> StepAsync(ToolCall call, HowRequest request)
    {
        var (kind, location, frames, _) = request;
        var seconds = request.Seconds ?? (call.Session.IsConnected ? null : DebugOperations.DefaultSeconds);
        call.Note = $"{kind} {location}".TrimEnd().ToLowerInvariant();
        if (kind == HowKind.Halt)
        {
            return await WhereAsync(call, await call.RunAsync(DebugOperations.Halt, seconds));
        }

        var now = await call.RunAsync(DebugOperations.Get, default);
        if (!now.Halted)
        {
            throw new ToolException("The game is not halted.", "call debug_step with kind halt, or set a point with debug_break and let the game run.");
        }

        if (kind is HowKind.Back or HowKind.BackToFrame or HowKind.BackToPoint)
        {
            var back = kind == HowKind.Back ? BackKind.Step : kind == HowKind.BackToFrame ? BackKind.Frame : BackKind.Point;
            return await WhereAsync(call, await call.RunAsync(HistoryOperations.Back, new BackRequest(back, 1, seconds)));
        }

        return await WhereAsync(call, kind == HowKind.Continue
            ? await ContinueAsync(call, frames)
            : await call.RunAsync(DebugOperations.Step, new StepRequest(Enum.Parse<StepKind>(kind.ToString()), location, Math.Max(frames, 1), seconds)));
    }

    private static async Task<DebuggerAnswer> ContinueAsync(ToolCall call, long frames)
    {
        var began = (await call.RunAsync(DebugOperations.Continue, default)).Frame;
        using var over = CancellationTokenSource.CreateLinkedTokenSource(call.Cancelled);
        var step = frames > 0 && call.Memory.Control is { } control ? control.StepAsync(frames, null, over.Token) : null;
        var time = call.Get<TimeProvider>();
        var (start, most) = (time.GetTimestamp(), WaitRequest.MaxWaitOf(frames));
        var now = await call.RunAsync(DebugOperations.Get, default);
        while (!now.Halted && now.Frame - began < frames && step?.IsCompleted != true && time.GetElapsedTime(start) < most)
        {
            await Task.Delay(Interval, time, call.Cancelled);
            now = await call.RunAsync(DebugOperations.Get, default);
        }

        await over.CancelAsync();
        await (step ?? Task.CompletedTask).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return now;
    }

    private static async Task<WhereAnswer> WhereAsync(ToolCall call, DebuggerAnswer state)
    {
        if (!state.Halted)
        {
            return new WhereAnswer(call.Emulator.Id, state.Frame, false, "The game runs.", null, RegistersOf(state.Registers), null, null);
        }

        var pc = AddressOf(state.Pc!);
        var first = state.Registers.TryGetValue("cpsr", out var cpsr) ? pc - (LinesBefore * ((cpsr & Thumb) != 0 ? 2 : 4))
            : state.Hit is { } hit && hit.Bank == state.Bank && pc - AddressOf(hit.Pc) is > 0 and <= 3 ? AddressOf(hit.Pc)
            : pc;
        var code = await call.RunAsync(DisassemblyOperations.Get, new DisassemblyRequest(FormattableString.Invariant($"0x{Math.Max(first, 0):X}"), LinesShown, null, null));
        return new WhereAnswer(
            call.Emulator.Id,
            state.Frame,
            true,
            WhyOf(state) + ".",
            PlaceOf(state.Pc!, state.Bank, state.Symbol),
            RegistersOf(state.Registers),
            [.. code.Instructions.Select(instruction => $"{(instruction.Address == state.Pc ? "> " : "  ")}{LineOf(instruction)}")],
            [.. (await call.RunAsync(BacktraceOperations.Get, FunctionsShown)).Functions.Select(static function => TextOf(function))]);
    }

    private static string TextOf(in FunctionAnswer function) => $"{PlaceOf(function.Call ?? function.Address, function.Bank, function.Symbol)}{function switch
    {
        { From: "interrupt" } => ", interrupted here",
        { Certainty: "guess" } => " (a guess)",
        _ => "",
    }}";

    private static string WhyOf(in DebuggerAnswer state) => state.Past is { } past ? $"{ReasonOf(state)}, in frame {past}, which is in the past" : ReasonOf(state);

    private static string ReasonOf(in DebuggerAnswer state) => state switch
    {
        { Hit: { } hit } => HitOf(hit),
        { Reason: "step" } => "The step is done",
        { Reason: "moved" } => "A state was loaded or the game was reset",
        { Reason: "history" } => "The history of the game begins here",
        _ => "The game was halted on request, or after the frames of a step",
    };

    private static string HitOf(in HitAnswer hit)
    {
        var by = PlaceOf(hit.Pc, hit.Bank, hit.Symbol);
        if (hit.Address is not { } address)
        {
            return $"Point {hit.Point} was hit: {hit.Kind} at {by}";
        }

        var values = hit.Kind == "read" ? NumberOf(hit.Value) : $"{NumberOf(hit.Before)} -> {NumberOf(hit.Value)}{(hit.After == hit.Value ? "" : $", and it is {NumberOf(hit.After)} now")}";
        return $"Point {hit.Point} was hit: {hit.Kind} of {hit.Size} bytes at {PlaceOf(address, null, hit.Name)}: {values}, by {(hit.ByDma == true ? "DMA while the processor was at " : "")}{by}";
    }

    private static string NumberOf(long? value) => FormattableString.Invariant($"{value} (0x{value:X})");

    private static string PlaceOf(string address, long? bank, string? symbol) => $"{address}{(bank > 0 ? $" in bank {bank}" : "")}{(symbol is null ? "" : $" ({symbol})")}";

    private static string RegistersOf(IReadOnlyDictionary<string, long> registers) =>
        string.Join(' ', registers.Where(static register => register.Key is not ("r13" or "r14" or "r15" or "ip" or "bc" or "de")).Select(static register => FormattableString.Invariant($"{register.Key}=0x{register.Value:X}")));

    private static string LineOf(in InstructionAnswer instruction)
    {
        var target = instruction.Target is { Symbol: { } symbol } ? $" ; {symbol}" : "";
        var value = instruction.Target is { Value: { } word } at ? $" ; = {word}{(at.ValueSymbol is { } name ? $" ({name})" : "")}" : "";
        return $"{PlaceOf(instruction.Address, instruction.Bank, instruction.Symbol)}  {instruction.Text}{target}{value}";
    }

    private static long AddressOf(string hex) => long.Parse(hex.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);

    /// <summary>What is kept of the history, which begins if there is none: then the answer is the sentence.</summary>
    private static async Task<(HistoryAnswer History, string? Sentence)> HistoryAsync(ToolCall call, string then)
    {
        var history = await call.RunAsync(HistoryOperations.Get, default);
        if (history.Megabytes > 0)
        {
            return (history, null);
        }

        var begun = await call.RunAsync(HistoryOperations.Keep, new KeepHistory(HistoryOperations.UsualMegabytes));
        return (begun, begun.Problem is { } problem ? $"The history of this game cannot be kept: {problem}." : $"The history of the game is kept from now on. {then}");
    }

    private static async Task<TraceShown> TraceAsync(ToolCall call, TraceRequest request)
    {
        call.Note = $"{request.Kinds} {request.Location}".TrimEnd();
        var (history, sentence) = await HistoryAsync(call, "Let the game run, then call trace again.");
        if (sentence is not null)
        {
            return new TraceShown(call.Emulator.Id, history.Frame, sentence, [], history.Frame, 0);
        }

        var trace = await call.RunAsync(TraceOperations.Get, request);
        var missed = trace.Missed > 0 ? $"{trace.Missed} frames at the beginning are not kept any more. " : "";
        return new TraceShown(
            call.Emulator.Id,
            trace.Frame,
            trace.Events.Count < request.Count ? $"{missed}These are all events until now." : $"{missed}There may be more events.",
            [.. trace.Events.Select(static one => TextOf(one))],
            trace.Next.From,
            trace.Next.Number);
    }

    private static string TextOf(TraceEventAnswer one)
    {
        var by = PlaceOf(one.Pc, one.Bank, one.Symbol);
        var what = one switch
        {
            { Kind: "instruction" } => $"{by}  {one.Text}",
            { Value: { } value } => $"{one.Kind}: {PlaceOf(one.Address!, null, one.Name)} = {NumberOf(value)}, {one.Size} bytes, by {(one.ByDma == true ? "DMA" : by)}",
            _ => $"{one.Kind}: {by} -> {PlaceOf(one.Address!, null, one.Name)}",
        };
        return string.Create(CultureInfo.InvariantCulture, $"frame {one.At}.{one.Number}, line {one.Line}: {what}");
    }

    private static async Task<WritersShown> WhoWroteAsync(ToolCall call, WritersRequest request)
    {
        call.Note = request.Location;
        var (history, sentence) = await HistoryAsync(call, "Let the game run until the value has changed, then call who_wrote again.");
        if (sentence is not null)
        {
            return new WritersShown(call.Emulator.Id, history.Frame, sentence, []);
        }

        var found = await call.RunAsync(HistoryOperations.Writers, request);
        var since = $"since frame {history.First}, where the history begins";
        return new WritersShown(
            call.Emulator.Id,
            found.Frame,
            found.Writers.Count == 0 ? $"Nobody has written another value there {since}." : $"The last writes of another value {since}:",
            [.. found.Writers.Select(TextOf)]);
    }

    private static string TextOf(WriterAnswer write) => string.Create(
        CultureInfo.InvariantCulture,
        $"frame {write.Frame}: {PlaceOf(write.Address, null, write.Name)} {NumberOf(write.Before)} -> {NumberOf(write.Value)}, {write.Size} bytes, by {WriterOf(write)}");

    private static string WriterOf(in WriterAnswer write) => write.By switch
    {
        "game" => PlaceOf(write.Pc!, write.Bank, write.Symbol),
        "dma" => "DMA",
        _ => "a client, a freeze, a state or a reset",
    };

    private static async Task<HardwareShown> HardwareAsync(ToolCall call, string? part)
    {
        var hardware = await call.RunAsync(HardwareOperations.Get, part);
        return new HardwareShown(
            call.Emulator.Id,
            hardware.Frame,
            hardware.Parts.ToDictionary(static device => device.Name, static device => (IReadOnlyList<string>)[.. device.Registers.Select(TextOf)]),
            hardware.Banks);
    }

    private static string TextOf(HardwareRegisterAnswer register) => string.Create(
        CultureInfo.InvariantCulture,
        $"{register.Name} ({register.Address}) = 0x{register.Value:X}: {string.Join(", ", register.Fields.Select(static field => $"{field.Name} {field.Meaning ?? field.Value.ToString(CultureInfo.InvariantCulture)}"))}");
}

/// <summary>What to do with points.</summary>
internal enum BreakAction
{
    Add,
    Remove,
    List,
}

/// <summary>How the game continues.</summary>
internal enum HowKind
{
    Into,
    Over,
    Out,
    To,
    Continue,
    Halt,
    Back,
    BackToFrame,
    BackToPoint,
}

/// <summary>What to do with points.</summary>
/// <param name="Action">What.</param>
/// <param name="Add">The point to set.</param>
/// <param name="Point">The point to remove; null for all of the agent.</param>
internal sealed record BreakRequest(BreakAction Action, PointRequest? Add, long? Point);

/// <summary>How the game continues.</summary>
/// <param name="Kind">How.</param>
/// <param name="Location">Where to.</param>
/// <param name="Frames">After how many frames it ends.</param>
/// <param name="Seconds">After how long the halt ends; null for the default.</param>
internal sealed record HowRequest(HowKind Kind, string? Location, long Frames, long? Seconds);
