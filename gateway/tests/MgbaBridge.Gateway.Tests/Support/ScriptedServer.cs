using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>A program that answers each HTTP request with the next of some texts, and ends the connection instead when the text is empty or there are no more.</summary>
internal sealed class ScriptedServer : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly ConcurrentQueue<string> _answers;
    private readonly Task _serving;

    public ScriptedServer(params string[] answers)
    {
        _answers = new(answers);
        _listener.Start();
        _serving = _listener.ServeEachAsync(ServeAsync);
    }

    public string Url => string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}");

    /// <summary>The heads of the requests.</summary>
    public ConcurrentQueue<string> Heads { get; } = [];

    /// <summary>Takes a request and never answers.</summary>
    public static string Silence { get; } = "silence";

    public static string Json(string json, int status = 200, string headers = "") => string.Create(
        CultureInfo.InvariantCulture,
        $"HTTP/1.1 {status} -\r\nContent-Type: {(status == 200 ? "application/json" : "application/problem+json")}\r\nContent-Length: {Encoding.UTF8.GetByteCount(json)}\r\n{headers}\r\n{json}");

    /// <summary>The values of a header of the requests.</summary>
    public IEnumerable<string?> HeaderOf(string name) =>
        Heads.Select(head => head.Split("\r\n").FirstOrDefault(line => line.StartsWith(name + ": ", StringComparison.OrdinalIgnoreCase))?[(name.Length + 2)..]);

    public async ValueTask DisposeAsync()
    {
        _listener.Dispose();
        await _serving;
    }

    private async Task ServeAsync(Socket accepted)
    {
        await using var stream = new NetworkStream(accepted, ownsSocket: true);
        while (await ReadHeadAsync(stream) is { } head)
        {
            Heads.Enqueue(head);
            var length = head.Split("\r\n").FirstOrDefault(line => line.StartsWith("Content-Length: ", StringComparison.OrdinalIgnoreCase))?[16..] ?? "0";
            await stream.ReadExactlyAsync(new byte[int.Parse(length, CultureInfo.InvariantCulture)]);
            if (!_answers.TryDequeue(out var answer) || answer.Length == 0)
            {
                return;
            }

            if (answer != Silence)
            {
                await stream.WriteAsync(Encoding.UTF8.GetBytes(answer));
            }
        }
    }

    private static async Task<string?> ReadHeadAsync(NetworkStream stream)
    {
        var head = new StringBuilder();
        var one = new byte[1];
        while (!head.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal))
        {
            if (await stream.ReadAsync(one) == 0)
            {
                return null;
            }

            head.Append((char)one[0]);
        }

        return head.ToString();
    }
}
