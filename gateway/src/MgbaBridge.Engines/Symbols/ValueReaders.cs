using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Engines.Symbols;

/// <summary>
/// Reads properties, all in one frame, pointers included. The wire reads places, and a pointer's value is one only when it has been read; so each
/// round reads again all pointers that are known, and the values where they led the last time. When a round finds every pointer as it was assumed,
/// everything it read belongs together. A constant is not read.
/// </summary>
public sealed class ValueReaders
{
    /// <summary>The most rounds until the values are given up.</summary>
    public const int MaxRounds = 32;

    private readonly EmulatorClient _emulator;
    private readonly NumberType _pointer;
    private readonly (GameProperty Property, Location At)[] _wanted;
    private readonly Dictionary<Location, long> _known = [];
    private Path[] _walks = [];
    private JoinedRanges _joined = new([]);

    /// <summary>Makes one for properties and where they begin.</summary>
    public ValueReaders(EmulatorClient emulator, bool isGameBoy, IEnumerable<(GameProperty Property, Location At)> wanted)
    {
        _emulator = emulator;
        _pointer = isGameBoy ? NumberType.U16 : NumberType.U32;
        _wanted = [.. wanted];
    }

    /// <summary>Whether anything is read: not all are constants.</summary>
    public bool HasPlaces => _wanted.Any(static wanted => wanted.Property.Type is not ConstantType);

    /// <summary>Reads them.</summary>
    /// <param name="frame">The frame of the answer when nothing has to be read.</param>
    /// <param name="epoch">The epoch.</param>
    /// <param name="cancellationToken">Ends it.</param>
    public async Task<NamedValues> ReadAsync(long frame, Epoch epoch, CancellationToken cancellationToken)
    {
        if (!HasPlaces)
        {
            return new NamedValues(frame, epoch, [.. _wanted.Select(static wanted => new NamedValue(wanted.Property, null, default, []))]);
        }

        for (var round = 0; round < MaxRounds; round++)
        {
            if (Next(out var command) is { } tooMany)
            {
                return new NamedValues(0, default, [], tooMany);
            }

            using var reply = await _emulator.SendAsync(command, new RequestOptions { Epoch = epoch }, cancellationToken);
            if (reply.Failure is { } failure)
            {
                return new NamedValues(0, default, [], failure);
            }

            if (Take(reply.Tail) is { } values)
            {
                return new NamedValues(reply.Frame, reply.Epoch, values);
            }
        }

        return new NamedValues(0, default, [], null, Unsettled: true);
    }

    /// <summary>What the next round reads. Returns why that is not possible, or null.</summary>
    public CommandFailure? Next(out GatherMemory command)
    {
        _walks = [.. _wanted.Select(wanted => Walk(wanted.Property, wanted.At))];
        var wanted = new List<MemoryRange>();
        foreach (var walk in _walks)
        {
            wanted.AddRange(walk.Pointers.Select(pointer => new MemoryRange(pointer.Location, _pointer.Bytes(), _pointer)));
            wanted.AddRange(walk.Ends is { } end ? [new MemoryRange(end, walk.Property.Type.Size, null)] : []);
        }

        _joined = new JoinedRanges(wanted);
        command = new GatherMemory(_joined.Ranges);
        return _joined.Ranges.Count <= Limits.Repeats ? null : new CommandFailure(
            CommandFailureKind.Rejected, $"The values are in {_joined.Ranges.Count} places of memory that do not touch; the limit is {Limits.Repeats}.")
        { Code = ErrorCode.BadArgument };
    }

    /// <summary>The values in what was read; null when a pointer was not as assumed, so that another round is necessary.</summary>
    public IReadOnlyList<NamedValue>? Take(ReadOnlyMemory<byte> read) => Take(_walks, read, _joined.Positions);

    // as far as the pointers are known
    private Path Walk(GameProperty property, Location at)
    {
        if (property.Type is ConstantType)
        {
            return new Path(property, [], null, IsKnown: true);
        }

        var pointers = new List<FollowedPointer>();
        foreach (var offset in property.Chain)
        {
            var known = _known.TryGetValue(at, out var address);
            pointers.Add(new FollowedPointer(at, known ? address : -1));
            if (!known || address == 0)
            {
                return new Path(property, pointers, null, IsKnown: known);
            }

            at = Location.Bus((address + offset) & _pointer.Greatest());
        }

        return new Path(property, pointers, at, IsKnown: true);
    }

    private List<NamedValue>? Take(Path[] walks, ReadOnlyMemory<byte> bytes, IReadOnlyList<int> positions)
    {
        var next = 0;
        var values = new List<NamedValue>(walks.Length);
        var settled = true;
        foreach (var walk in walks)
        {
            foreach (var pointer in walk.Pointers)
            {
                var address = _pointer.Read(bytes.Span[positions[next++]..]);
                settled &= address == pointer.Address;
                _known[pointer.Location] = address;
            }

            settled &= walk.IsKnown;
            byte[] value = walk.Ends is null ? [] : bytes.Slice(positions[next++], walk.Property.Type.Size).ToArray();
            values.Add(new NamedValue(walk.Property, walk.Ends, value, walk.Pointers));
        }

        return settled ? values : null;
    }

    private sealed record Path(GameProperty Property, List<FollowedPointer> Pointers, Location? Ends, bool IsKnown);
}

/// <summary>Where the value of a property was found, and its bytes.</summary>
/// <param name="Property">The property.</param>
/// <param name="Location">Where, or null where a pointer of its chain is 0.</param>
/// <param name="Bytes">Its bytes; empty where a pointer is 0.</param>
/// <param name="Pointers">The pointers that led there.</param>
public sealed record NamedValue(GameProperty Property, Location? Location, ReadOnlyMemory<byte> Bytes, IReadOnlyList<FollowedPointer> Pointers)
{
    /// <summary>Whether it has a value: no pointer is 0.</summary>
    public bool IsKnown => Location is not null || Property.Type is ConstantType;
}

/// <summary>Values of properties, all from one frame; or why there are none.</summary>
/// <param name="Frame">The frame.</param>
/// <param name="Epoch">The epoch.</param>
/// <param name="Values">The values, in the requested order.</param>
/// <param name="Failure">The request to the emulator failed.</param>
/// <param name="Unsettled">Pointers changed whenever they were followed.</param>
public sealed record NamedValues(long Frame, Epoch Epoch, IReadOnlyList<NamedValue> Values, CommandFailure? Failure = null, bool Unsettled = false);

/// <summary>A pointer that was followed.</summary>
/// <param name="Location">Its location.</param>
/// <param name="Address">Where it points.</param>
public readonly record struct FollowedPointer(Location Location, long Address);
