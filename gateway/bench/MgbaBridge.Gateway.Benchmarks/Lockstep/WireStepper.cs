using System.Globalization;
using System.Text;

namespace MgbaBridge.Gateway.Benchmarks.Lockstep;

/// <summary>Steps on the script's own port.</summary>
internal sealed class WireStepper(int port, WaitMode waitMode) : IStepper
{
    private const string End = "<|END|>";

    private readonly byte[] _buffer = new byte[4096];
    private WireStream? _stream;
    private long _id;
    private int _filled;

    public string Name => "raw wire";

    public WaitMode WaitMode => waitMode;

    public Task TakeAsync()
    {
        _stream = new WireStream(port, waitMode);
        Exchange($"hello 3 session=\"{Guid.NewGuid():N}\"", "");
        Exchange("lease.take", "");
        return Task.CompletedTask;
    }

    public Task<uint> StepAsync()
    {
        var reply = Exchange("lease.step 1", $"memory.read32 {LockstepCommand.FrameCount}{End}");
        return Task.FromResult(uint.Parse(reply.Split(End)[1].Replace("ok ", "", StringComparison.Ordinal), CultureInfo.InvariantCulture));
    }

    public ValueTask DisposeAsync()
    {
        if (_stream is not null)
        {
            Exchange("lease.release", "");
            _stream.Dispose();
        }
        return ValueTask.CompletedTask;
    }

    private string Exchange(string command, string tail)
    {
        _id++;
        var head = tail.Length > 0 ? $"#{_id}+{tail.Length} ack={_id - 1} {command}" : $"#{_id} {command}";
        _stream!.Write(Encoding.ASCII.GetBytes($"{head}{End}{tail}"));
        while (true)
        {
            // Skip events.
            for (int length; (length = LengthOfFirst()) > 0;)
            {
                var message = Take(length);
                if (message[0] == '#')
                {
                    return message.Contains(" ok", StringComparison.Ordinal) ? message : throw new MeasurementException($"{command}: {message}");
                }
            }
            var count = _stream.Read(_buffer.AsSpan(_filled));
            if (count == 0)
            {
                throw new MeasurementException($"{command}: the script closed the connection");
            }
            _filled += count;
        }
    }

    /// <summary>The length of the first message, head and tail; 0 while it is incomplete.</summary>
    private int LengthOfFirst()
    {
        var end = _buffer.AsSpan(0, _filled).IndexOf("<|END|>"u8);
        if (end < 0)
        {
            return 0;
        }
        var id = Encoding.ASCII.GetString(_buffer, 0, end).Split(' ')[0];
        var plus = id.IndexOf('+', StringComparison.Ordinal);
        var length = end + End.Length + (plus < 0 ? 0 : int.Parse(id[(plus + 1)..], CultureInfo.InvariantCulture));
        return length <= _filled ? length : 0;
    }

    private string Take(int length)
    {
        var message = Encoding.ASCII.GetString(_buffer, 0, length);
        _buffer.AsSpan(length, _filled - length).CopyTo(_buffer);
        _filled -= length;
        return message;
    }
}
