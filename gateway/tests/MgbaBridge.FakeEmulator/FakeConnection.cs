using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace MgbaBridge.FakeEmulator;

/// <summary>One client of the fake.</summary>
internal sealed class FakeConnection(FakeScript owner, Socket socket, int number)
{
    private static readonly byte[] Terminator = "<|END|>"u8.ToArray();

    private readonly List<byte> _received = [];
    private string? _session;
    private const string Own = "00112233445566778899aabbccddeeff";

    private string? _challenge;
    private long _sent;

    public async Task RunAsync()
    {
        var buffer = new byte[65_536];
        try
        {
            int count;
            while ((count = await socket.ReceiveAsync(buffer)) > 0)
            {
                _received.AddRange(buffer[..count]);
                await AnswerAllAsync();
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // the client is gone, or this side closed
            owner.NoteBreak();
        }

        Close();
        owner.Ended(this);
    }

    public void Close() => socket.Close(0);

    public Task SendAsync(byte[] bytes) => SendAsync(bytes, counted: true);

    private async Task AnswerAllAsync()
    {
        if (owner.Behaviour.InsteadOfHello is { } instead)
        {
            _received.Clear();
            await SendAsync(instead, counted: false);
            return;
        }

        // before a request is known to the test, which resumes only what waits by then
        for (var gate = owner.Gate; TakeRequest() is { } request; gate = owner.Gate)
        {
            await gate;
            if (owner.Behaviour.NeverAnswer)
            {
                continue;
            }

            await AnswerAsync(request);
        }
    }

    private async Task AnswerAsync(FakeRequest request)
    {
        var behaviour = owner.Behaviour;
        if (request.Command == "hello")
        {
            await SendAsync(HelloReply(request).ToBytes(request.Id, owner.NextFrame(), owner.Epoch), counted: false);
            return;
        }

        if (behaviour.Delay > TimeSpan.Zero)
        {
            await Task.Delay(behaviour.Delay);
        }

        if (owner.Answer(request) is { } reply)
        {
            var id = behaviour.WrongIds ? request.Id + 1_000_000 : request.Id;
            await SendAsync(behaviour.Garbage ?? reply.ToBytes(id, owner.NextFrame(), owner.Epoch));
        }
    }

    private FakeReply HelloReply(FakeRequest request)
    {
        var behaviour = owner.Behaviour;
        if (behaviour.RefuseHello is { } failure)
        {
            return new FakeReply(failure);
        }

        var session = request.Named("session")!;
        var proved = "";
        if (behaviour.Secret is { } secret)
        {
            _challenge = request.Named("challenge") ?? _challenge;
            if (request.Named("proof") is not { } proof)
            {
                return FakeReply.Refuse("auth-required", "the secret is needed", _challenge is null ? "" : $"challenge=\"{Own}\"");
            }

            if (proof != FakeSecret.Proof(secret, "client", _challenge!, Own, session))
            {
                return FakeReply.Refuse("auth-failed", "the proof is wrong");
            }

            var own = behaviour.OwnProof?.Invoke(proof) ?? FakeSecret.Proof(secret, "script", _challenge!, Own, session);
            proved = own.Length == 0 ? "" : $" proof=\"{own}\"";
        }

        _session = session;
        return FakeReply.Ok(owner.HelloText(_session) + proved);
    }

    private FakeRequest? TakeRequest()
    {
        var start = _received.FindIndex(value => value is not ((byte)' ' or (byte)'\r' or (byte)'\n' or (byte)'\t'));
        var end = IndexOfTerminator();
        if (start < 0 || end < 0)
        {
            return null;
        }

        var head = Encoding.UTF8.GetString([.. _received[start..end]]);
        var after = end + Terminator.Length;
        var tail = FakeRequest.TailLength(head);
        if (_received.Count < after + (tail ?? 0))
        {
            return null;
        }

        var request = FakeRequest.Parse(number, _session, head, tail is null ? null : [.. _received[after..(after + tail.Value)]]);
        _received.RemoveRange(0, after + (tail ?? 0));
        owner.Note(request);
        return request;
    }

    private int IndexOfTerminator()
    {
        for (var index = 0; index + Terminator.Length <= _received.Count; index++)
        {
            if (_received[index] == Terminator[0] && Terminator.Index().All(expected => _received[index + expected.Index] == expected.Item))
            {
                return index;
            }
        }

        return -1;
    }

    private async Task SendAsync(byte[] bytes, bool counted)
    {
        var behaviour = owner.Behaviour;
        var allowed = bytes.Length;
        if (counted && behaviour.CloseAfterBytes is { } limit)
        {
            allowed = (int)Math.Clamp(limit - _sent, 0, bytes.Length);
        }

        for (var at = 0; at < allowed;)
        {
            var chunk = Math.Min(behaviour.ChunkSize ?? allowed, allowed - at);
            at += await socket.SendAsync(bytes.AsMemory(at, chunk));
        }

        _sent += counted ? allowed : 0;
        if (allowed < bytes.Length)
        {
            // an orderly end, so that what was sent still arrives
            socket.Shutdown(SocketShutdown.Both);
            throw new SocketException((int)SocketError.Shutdown, string.Create(CultureInfo.InvariantCulture, $"cut after {_sent} bytes"));
        }
    }
}
