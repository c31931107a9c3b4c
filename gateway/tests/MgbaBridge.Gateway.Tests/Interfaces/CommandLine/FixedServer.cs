using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace MgbaBridge.Gateway.Tests.Interfaces.CommandLine;

/// <summary>Answers requests one after the other with fixed parts, and closes the connection of each.</summary>
internal sealed class FixedServer : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly TaskCompletionSource<string> _request = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public FixedServer(params string[] parts)
    {
        _listener.Start();
        Url = $"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}/";
        _ = ServeAsync(parts);
    }

    public string Url { get; }

    /// <summary>The first request.</summary>
    public Task<string> Request => _request.Task;

    public void Dispose() => _listener.Dispose();

    private async Task ServeAsync(string[] parts)
    {
        try
        {
            while (true)
            {
                using var client = await _listener.AcceptTcpClientAsync(TestContext.Current.CancellationToken);
                await AnswerAsync(client, parts);
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException or OperationCanceledException or IOException)
        {
            // the test has ended, or the verb does not read all of it
        }
    }

    private async Task AnswerAsync(TcpClient client, string[] parts)
    {
        client.NoDelay = true;
        var stream = client.GetStream();
        var (text, buffer) = ("", new byte[4096]);
        while (!IsComplete(text))
        {
            text += Encoding.Latin1.GetString(buffer, 0, await stream.ReadAsync(buffer, TestContext.Current.CancellationToken));
        }

        foreach (var part in parts)
        {
            await stream.WriteAsync(Encoding.Latin1.GetBytes(part), TestContext.Current.CancellationToken);
        }

        _request.TrySetResult(text);
    }

    private static bool IsComplete(string text)
    {
        var end = text.IndexOf("\r\n\r\n", StringComparison.Ordinal);
        var length = text.Split("Content-Length: ") is [_, var rest] ? int.Parse(rest.Split('\r')[0], CultureInfo.InvariantCulture) : 0;
        return end >= 0 && text.Length == end + 4 + length;
    }
}
