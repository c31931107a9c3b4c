using System.Buffers;

namespace MgbaBridge.Client.Commands;

/// <summary>
/// mGBA's save states in the containers of others: compressed by gzip, or as RetroArch keeps those of its mGBA core. What holds no state of mGBA goes to the
/// script as it is in there: the script names its format.
/// </summary>
internal static class StateContainer
{
    private const int Deepest = 3; // RetroArch's container may be compressed, and the file once more

    private static ReadOnlySpan<byte> Png => [0x89, (byte)'P', (byte)'N', (byte)'G'];

    /// <summary>Returns the raw state that is in these bytes, or what is wrong with what is around it.</summary>
    public static (ReadOnlySequence<byte> State, string? Problem) Unpack(ReadOnlySequence<byte> state)
    {
        Span<byte> start = stackalloc byte[(int)Math.Min(state.Length, FileContainer.StartLength)];
        state.Slice(0, start.Length).CopyTo(start);
        var kind = FileContainer.KindOf(start);
        if (kind == ContainerKind.None)
        {
            return (PngState.Unpack(state), null);
        }

        var content = state.ToArray();
        var isOfRetroArch = false;
        for (var depth = 0; depth < Deepest && kind != ContainerKind.None; depth++, kind = FileContainer.KindOf(content))
        {
            isOfRetroArch |= kind == ContainerKind.RetroArchState;
            if (FileContainer.Open(kind, content, out content) is { } problem)
            {
                return (state, Problem(state, problem));
            }
        }

        return isOfRetroArch && !IsOfMgba(content)
            ? (state, Problem(state, "are a state of RetroArch, of another core than mGBA; save in the game there, and give its save file (.srm) to the game here"))
            : (PngState.Unpack(new ReadOnlySequence<byte>(content)), null);
    }

    private static string Problem(ReadOnlySequence<byte> state, string what) => FormattableString.Invariant($"These {state.Length} bytes {what}.");

    // the version of a raw state is in its first byte, what it is a state of in the others
    private static bool IsOfMgba(ReadOnlySpan<byte> state) => state.StartsWith(Png) || (state.Length > 4 && state[1..4] is [0, 0, 1] or [0, 0x40, 0]);
}
