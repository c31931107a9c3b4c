using System.Buffers.Text;
using System.Text;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>
/// The small requests: each reads a byte of the ROM, which the generator knows. Consecutive requests have different answers, so that a reply to
/// another request is detected in both dialects.
/// </summary>
internal sealed class WireRequests
{
    private const int Max = 256;
    private const long RomAddress = 0x08000000;

    private readonly Dialect _dialect;
    private readonly List<byte[]> _texts = [];
    private readonly List<byte> _values = [];

    public WireRequests(Dialect dialect, string romPath)
    {
        _dialect = dialect;
        var rom = File.ReadAllBytes(romPath);
        for (var i = 0; i < rom.Length && _values.Count < Max; i++)
        {
            if (_values.Count == 0 || rom[i] != _values[^1])
            {
                _values.Add(rom[i]);
                var text = dialect == Dialect.Version2 ? $" memory.read8 0x{RomAddress + i:X8}<|END|>" : $"core.read8,0x{RomAddress + i:X8},,<|END|>";
                _texts.Add(Encoding.ASCII.GetBytes(text));
            }
        }
    }

    public Dialect Dialect => _dialect;

    public byte ValueOf(long sequence) => _values[(int)(sequence % _values.Count)];

    /// <summary>Writes the request with this sequence number; returns its length.</summary>
    public int Write(Span<byte> into, long id, long sequence)
    {
        var text = _texts[(int)(sequence % _texts.Count)];
        var length = 0;
        if (_dialect == Dialect.Version2)
        {
            into[0] = (byte)'#';
            Utf8Formatter.TryFormat(id, into[1..], out length);
            length++;
        }
        text.CopyTo(into[length..]);
        return length + text.Length;
    }
}
