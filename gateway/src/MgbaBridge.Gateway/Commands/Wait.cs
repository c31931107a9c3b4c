using System.Buffers;
using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Waits until a condition holds, looked at once a frame, or until frames have passed.</summary>
/// <param name="Text"><c>u8 0x02000000 ge 5 and u16 wram:4 changed</c>, or null when there are tests.</param>
/// <param name="Tests">The conditions, if not as text.</param>
/// <param name="Any">Whether one of the tests is enough.</param>
/// <param name="Frames">After how many frames to give up, 1..36000; null for never.</param>
public readonly record struct Wait(string? Text, IReadOnlyList<MemoryTest> Tests, bool Any, long? Frames) : ICommand
{
    private const string Letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:- ";

    private static readonly SearchValues<char> Plain = SearchValues.Create(Letters);
    private static readonly CommandRow WaitRow = new("wait", CommandKind.Read, lasts: true);

    /// <inheritdoc/>
    public CommandRow Row => WaitRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Push;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        foreach (var word in Text?.Split(' ', StringSplitOptions.RemoveEmptyEntries) ?? [])
        {
            head.Word(Encoding.ASCII.GetBytes(word));
        }

        for (var index = 0; index < Tests.Count; index++)
        {
            if (index > 0)
            {
                head.Word(Any ? "or"u8 : "and"u8);
            }

            Tests[index].WriteTo(ref head);
        }

        if (Frames is { } frames)
        {
            head.Named("frames"u8, frames);
        }
    }

    /// <summary>Whether the text has only what a condition may have.</summary>
    public static bool IsPlain(string text) => !text.AsSpan().ContainsAnyExcept(Plain);

    /// <summary>Whether it holds, and every number that was looked at.</summary>
    public static (bool Met, IReadOnlyList<long> Values) Parse(Reply reply)
    {
        var values = reply.Values;
        if (!values.Read() || values.Kind != ValueKind.Boolean)
        {
            throw new UnexpectedReplyException(WaitRow);
        }

        var met = values.Boolean;
        var found = new List<long>();
        while (values.TryReadInteger(out var value))
        {
            found.Add(value);
        }

        return (met, found);
    }
}
