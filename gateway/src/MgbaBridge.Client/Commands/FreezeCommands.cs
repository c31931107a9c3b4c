using System.Globalization;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Commands;

public readonly partial record struct FreezeMemory
{
    /// <summary>The last frame in which it is written, or null when it has no end.</summary>
    public static long? Parse(Reply reply)
    {
        var values = reply.Values;
        return values.ReadTo("last"u8) && values.Kind == ValueKind.Integer ? values.Integer : null;
    }
}

public readonly partial record struct UnfreezeMemory
{
    /// <summary>How many were released.</summary>
    public static long Parse(Reply reply) => reply.ReadInteger(Row);
}

public readonly partial record struct ListFreezes
{

    /// <summary>The freezes, in the order in which they are written; none when the script is older than freezes.</summary>
    public static IReadOnlyList<MemoryFreeze> Parse(Reply reply)
    {
        var freezes = new List<MemoryFreeze>();
        var values = reply.Values;
        var bytes = reply.Tail;
        while (values.Read())
        {
            var holder = values.GetText();
            var name = values.Read() ? values.GetText() : "";
            if (!values.Read() || !Location.TryParse(values.GetText(), out var location) || !values.TryReadInteger(out var length) || length > bytes.Length || !values.Read())
            {
                throw new UnexpectedReplyException(Row);
            }

            long? last = values.Kind == ValueKind.Integer ? values.Integer : null;
            freezes.Add(new MemoryFreeze(holder, name, location, bytes[..(int)length].ToArray(), last));
            bytes = bytes[(int)length..];
        }

        return freezes;
    }

    /// <summary>What to say to a caller whose operation does not go together with freezes; null when there are none, or with the failure of the request.</summary>
    public static (string? Detail, CommandFailure? Failure) Obstacle(Reply reply)
    {
        if (reply.Failure is { } failure)
        {
            return (null, failure.Code == ErrorCode.UnknownCommand ? null : failure);
        }

        var freezes = Parse(reply);
        return freezes.Count == 0 ? default : (string.Create(
            CultureInfo.InvariantCulture, $"Release the frozen values first: {freezes.Count} in all, such as {freezes[0].Location} of {freezes[0].Holder}."), null);
    }
}

/// <summary>Bytes that the script writes every frame.</summary>
/// <param name="Holder">Whose it is.</param>
/// <param name="Name">Its name, unique for the holder.</param>
/// <param name="Location">Where the first byte goes.</param>
/// <param name="Bytes">The bytes.</param>
/// <param name="Last">The last frame in which they are written, or null for until it is released.</param>
public sealed record MemoryFreeze(string Holder, string Name, Location Location, ReadOnlyMemory<byte> Bytes, long? Last);
