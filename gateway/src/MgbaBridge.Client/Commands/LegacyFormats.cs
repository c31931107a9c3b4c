using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Commands;

/// <summary>The commands that legacy scripts, such as mGBA-http's, support (docs/protocol.md, section 9).</summary>
internal static class LegacyFormats
{
    private const long LegacyTapFrames = 15;

    /// <summary>A message that every such script answers with a number while a game is open.</summary>
    public static LegacyFormat Probe { get; } = Number("core.currentFrame");

    /// <summary>The format of a command, or null if a legacy script does not support it.</summary>
    public static LegacyFormat? Of(object command) =>
        FormOf(command) is { } form && !form.Message.Contains(Wire.TerminatorText, StringComparison.Ordinal) ? form : null;

    private static LegacyFormat? FormOf(object command) => command switch
    {
        Ping or ReadCoreFrame => Probe,
        ReadCell read => Number($"{Scope(read.Location)}.read{(int)read.Width}", AddressOf(read.Location)),
        WriteCell write => Nothing($"{Scope(write.Location)}.write{(int)write.Width}", AddressOf(write.Location), write.Value),
        ReadMemory read => new LegacyFormat(Join($"{Scope(read.Location)}.readRange", AddressOf(read.Location), read.Length), LegacyAnswer.Hex),
        ReadRegister read => Number("core.readRegister", read.Name),
        WriteRegister write => Nothing("core.writeRegister", write.Name, write.Value),
        ReadKeys => Number("core.getKeys"),
        ChangeKeys change => Nothing(change.Change switch { KeyChange.Set => "core.setKeys", KeyChange.Add => "core.addKeys", _ => "core.clearKeys" }, change.Keys.Mask),
        TapKeys { Wait: false } tap => Press(tap),
        ReadChecksum => Number("core.checksum"),
        ResetGame => Nothing("coreAdapter.reset"),
        StepInstruction => Nothing("core.step"),
        WriteConsole write => Nothing($"console.{write.Level.ToString().ToLowerInvariant()}", write.Text),
        _ => FileOrState(command),
    };

    private static LegacyFormat? FileOrState(object command) => command switch
    {
        StateSlot state => Flag(state.Move == StateMove.Save ? "core.saveStateSlot" : "core.loadStateSlot", state.Slot, Flags(state.Flags)),
        StateFile state => Flag(state.Move == StateMove.Save ? "core.saveStateFile" : "core.loadStateFile", state.Path, Flags(state.Flags)),
        SaveState save => new LegacyFormat(Join("core.saveStateBuffer", Flags(save.Flags)), LegacyAnswer.Hex),
        LoadState load => Flag("core.loadStateBuffer", $"[{HexOf(load.State)}]", Flags(load.Flags)),
        LoadRom load => Flag(load.Reset ? "mgba-http.extension.loadFile" : "core.loadFile", load.Path),
        LoadSave load => Flag("core.loadSaveFile", load.Path, load.Temporary ? "true" : "false"),
        AutoloadSave => Flag("core.autoloadSave"),
        SaveScreen save => Nothing("core.screenshot", save.Path),
        _ => null,
    };

    private static LegacyFormat Press(TapKeys tap)
    {
        var frames = tap.Frames ?? TapKeys.DefaultFrames;
        var keys = string.Join(';', KeySet.Names.Where((_, key) => ((tap.Keys.Mask >> key) & 1) == 1));
        var many = tap.Keys.Count > 1 ? "Many" : "";
        return new LegacyFormat(frames == LegacyTapFrames ? Join($"mgba-http.button.tap{many}", keys) : Join($"mgba-http.button.hold{many}", keys, frames), LegacyAnswer.Press);
    }

    private static LegacyFormat Number(params object[] parts) => new(Join(parts), LegacyAnswer.Number);

    private static LegacyFormat Nothing(params object[] parts) => new(Join(parts), LegacyAnswer.Nothing);

    private static LegacyFormat Flag(params object[] parts) => new(Join(parts), LegacyAnswer.Flag);

    // always a type and three values, as mGBA-http does it
    private static string Join(params object[] parts)
    {
        var text = string.Join(',', parts.Select(part => Convert.ToString(part, CultureInfo.InvariantCulture)));
        return text + new string(',', Math.Max(0, 3 - text.Count(letter => letter == ',')));
    }

    private static string Scope(in Location location) => location.Domain is null ? "core" : "memoryDomain";

    private static string AddressOf(in Location location) =>
        (location.Domain is null ? "" : location.Domain + ",") + location.Offset.ToString(CultureInfo.InvariantCulture);

    private static string Flags(StateFlags? flags) => flags is { } given ? ((int)given).ToString(CultureInfo.InvariantCulture) : "";

    private static string HexOf(in ReadOnlySequence<byte> bytes) =>
        string.Join(',', bytes.ToArray().Select(value => value.ToString("x2", CultureInfo.InvariantCulture)));
}

/// <summary>A command in the legacy protocol.</summary>
/// <param name="Message">The message without its end.</param>
/// <param name="Answer">The kind of reply.</param>
internal readonly record struct LegacyFormat(string Message, LegacyAnswer Answer);

/// <summary>Converts the answers of legacy scripts to replies. They have neither frame nor epoch, so both are 0.</summary>
internal static class LegacyReplies
{
    /// <summary>Converts an answer.</summary>
    public static Reply Read(LegacyAnswer form, ReadOnlySpan<byte> answer, int mostBytes)
    {
        if (answer.SequenceEqual("<|ERROR|>"u8))
        {
            return Reply.Failed(new FailureReport(Failure.Rejected, "The script in mGBA is mGBA-http's; it replied with an error without a reason.") { Code = RefusalCode.Failed });
        }

        return form switch
        {
            LegacyAnswer.Number => IsNumber(answer) ? Reply.Answered(0, default, answer, 0) : Unexpected("a number"),
            LegacyAnswer.Hex => Bytes(answer, mostBytes),
            LegacyAnswer.Flag when answer.SequenceEqual("false"u8) => Reply.Failed(new FailureReport(Failure.Rejected, "mGBA refused.") { Code = RefusalCode.Failed }),
            LegacyAnswer.Press => Reply.Answered(0, default, "down=0 up=0"u8, 0),
            _ => Reply.Answered(0, default, default, 0),
        };
    }

    /// <summary>Whether the text is an integer.</summary>
    public static bool IsNumber(ReadOnlySpan<byte> answer) => Utf8Parser.TryParse(answer, out long _, out var length) && length == answer.Length;

    private static Reply Bytes(ReadOnlySpan<byte> answer, int mostBytes)
    {
        var count = (answer.Length + 1) / 3;
        if (count > mostBytes)
        {
            return Reply.Failed(new FailureReport(Failure.ReplyTooLarge, $"The reply has {count} bytes, more than Bridge:Transport:MaxReplyTail ({mostBytes}). Request less at once, or raise the setting."));
        }

        var reply = Reply.Answered(0, default, default, count);
        var tail = reply.TailSpace.Span;
        for (var index = 0; index < count; index++)
        {
            var at = answer[(index * 3)..];
            if (at.Length == 1 || (at.Length > 2 && at[2] != ',') || !Utf8Parser.TryParse(at[..2], out byte value, out var length, 'x') || length != 2)
            {
                reply.Dispose();
                return Unexpected("bytes in hex");
            }

            tail[index] = value;
        }

        return reply;
    }

    private static Reply Unexpected(string what) => Reply.Failed(new FailureReport(
        Failure.Rejected, string.Create(CultureInfo.InvariantCulture, $"The script in mGBA is mGBA-http's; it replied something other than {what}."))
    { Code = RefusalCode.Failed });
}

/// <summary>The kind of a legacy answer.</summary>
internal enum LegacyAnswer
{
    /// <summary>Nothing of interest.</summary>
    Nothing,

    /// <summary>An integer.</summary>
    Number,

    /// <summary>Bytes as <c>d3,00,ea</c>.</summary>
    Hex,

    /// <summary><c>true</c>, or <c>false</c> when mGBA refused.</summary>
    Flag,

    /// <summary>Nothing of interest; version 2 returns the frames of a press here.</summary>
    Press,
}
