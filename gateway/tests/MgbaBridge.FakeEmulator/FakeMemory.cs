using System.Buffers.Binary;
using System.Globalization;

namespace MgbaBridge.FakeEmulator;

/// <summary>64 KiB that wrap around, and the few commands the fake understands by itself.</summary>
public sealed class FakeMemory
{
    private const int Size = 65_536;

    private readonly byte[] _bytes = new byte[Size];

    /// <summary>A byte.</summary>
    public byte this[long address] => _bytes[address & (Size - 1)];

    /// <summary>How often a byte was written.</summary>
    public Dictionary<long, int> Writes { get; } = [];

    /// <summary>Answers a request.</summary>
    public FakeReply Answer(FakeRequest request) => request.Command switch
    {
        "ping" => FakeReply.Ok(),
        "echo" when request.Tail is { } tail => FakeReply.Bytes(tail),
        "echo" => FakeReply.Ok(request.Arguments),
        "memory.read8" => FakeReply.Ok(Text(this[request.Number(0)])),
        "memory.read16" => FakeReply.Ok(Text(BinaryPrimitives.ReadUInt16LittleEndian(Range(request.Number(0), 2)))),
        "memory.read32" => FakeReply.Ok(Text(BinaryPrimitives.ReadUInt32LittleEndian(Range(request.Number(0), 4)))),
        "memory.read" => FakeReply.Bytes(Range(request.Number(0), (int)request.Number(1))),
        "memory.write8" => Write(request.Number(0), [(byte)request.Number(1)]),
        "memory.write16" => Write(request.Number(0), BitConverter.GetBytes((ushort)request.Number(1))),
        "memory.write32" => Write(request.Number(0), BitConverter.GetBytes((uint)request.Number(1))),
        "memory.write" => Write(request.Number(0), request.Tail!),
        _ => FakeReply.Refuse("unknown-command", $"there is no command {request.Command}"),
    };

    private FakeReply Write(long address, byte[] bytes)
    {
        for (var offset = 0; offset < bytes.Length; offset++)
        {
            _bytes[(address + offset) & (Size - 1)] = bytes[offset];
        }

        Writes[address] = Writes.GetValueOrDefault(address) + 1;
        return FakeReply.Ok("first=1 last=1");
    }

    private byte[] Range(long address, int length) => [.. Enumerable.Range(0, length).Select(offset => this[address + offset])];

    private static string Text(uint value) => value.ToString(CultureInfo.InvariantCulture);
}
