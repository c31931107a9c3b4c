using System.Buffers;
using System.Globalization;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>The commands that an older script, mGBA-http's or one like it, understands too (docs/protocol.md, section 9).</summary>
public static class LegacyForms
{
    private const long UsualTap = 15;
    private const long OurTap = 4;

    /// <summary>A message that every such script answers with a number while a game is open.</summary>
    public static LegacyForm Probe { get; } = Number("core.currentFrame");

    /// <summary>The form of a command, or null when there is none.</summary>
    public static LegacyForm? Of(object command) =>
        FormOf(command) is { } form && !form.Message.Contains(Wire.TerminatorText, StringComparison.Ordinal) ? form : null;

    private static LegacyForm? FormOf(object command) => command switch
    {
        Ping or ReadCoreFrame => Probe,
        ReadCell read => Number($"{Room(read.Location)}.read{(int)read.Width}", Place(read.Location)),
        WriteCell write => Nothing($"{Room(write.Location)}.write{(int)write.Width}", Place(write.Location), write.Value),
        ReadMemory read => new LegacyForm(Join($"{Room(read.Location)}.readRange", Place(read.Location), read.Length), LegacyAnswer.Hex),
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

    private static LegacyForm? FileOrState(object command) => command switch
    {
        StateSlot state => Flag(state.Move == StateMove.Save ? "core.saveStateSlot" : "core.loadStateSlot", state.Slot, Flags(state.Flags)),
        StateFile state => Flag(state.Move == StateMove.Save ? "core.saveStateFile" : "core.loadStateFile", state.Path, Flags(state.Flags)),
        SaveState save => new LegacyForm(Join("core.saveStateBuffer", Flags(save.Flags)), LegacyAnswer.Hex),
        LoadState load => Flag("core.loadStateBuffer", $"[{HexOf(load.State)}]", Flags(load.Flags)),
        LoadRom load => Flag(load.Reset ? "mgba-http.extension.loadFile" : "core.loadFile", load.Path),
        LoadSave load => Flag("core.loadSaveFile", load.Path, load.Temporary ? "true" : "false"),
        AutoloadSave => Flag("core.autoloadSave"),
        SaveScreen save => Nothing("core.screenshot", save.Path),
        _ => null,
    };

    private static LegacyForm Press(TapKeys tap)
    {
        var frames = tap.Frames ?? OurTap;
        var keys = string.Join(';', KeySet.Names.Where((_, key) => ((tap.Keys.Mask >> key) & 1) == 1));
        var many = tap.Keys.Count > 1 ? "Many" : "";
        return new LegacyForm(frames == UsualTap ? Join($"mgba-http.button.tap{many}", keys) : Join($"mgba-http.button.hold{many}", keys, frames), LegacyAnswer.Press);
    }

    private static LegacyForm Number(params object[] parts) => new(Join(parts), LegacyAnswer.Number);

    private static LegacyForm Nothing(params object[] parts) => new(Join(parts), LegacyAnswer.Nothing);

    private static LegacyForm Flag(params object[] parts) => new(Join(parts), LegacyAnswer.Flag);

    // always a type and three values, as mGBA-http does it
    private static string Join(params object[] parts)
    {
        var text = string.Join(',', parts.Select(part => Convert.ToString(part, CultureInfo.InvariantCulture)));
        return text + new string(',', Math.Max(0, 3 - text.Count(letter => letter == ',')));
    }

    private static string Room(in Location location) => location.Domain is null ? "core" : "memoryDomain";

    private static string Place(in Location location) =>
        (location.Domain is null ? "" : location.Domain + ",") + location.Offset.ToString(CultureInfo.InvariantCulture);

    private static string Flags(StateFlags? flags) => flags is { } given ? ((int)given).ToString(CultureInfo.InvariantCulture) : "";

    private static string HexOf(in ReadOnlySequence<byte> bytes) =>
        string.Join(',', bytes.ToArray().Select(value => value.ToString("x2", CultureInfo.InvariantCulture)));
}
