using System.Net;
using System.Net.Sockets;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Tests.Hosting;

/// <summary>The server with a request that is answered when the test wants it.</summary>
public sealed class HalfClosedClientsTests : IAsyncDisposable
{
    private const string Body = "answered";

    private readonly ManualTime _time = new();
    private readonly TaskCompletionSource _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<CancellationToken> _request = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TcpClient _client = new();
    private readonly WebApplication _app;
    private NetworkStream? _stream;
    private CancellationToken _closed;
    private bool _begins;

    public HalfClosedClientsTests()
    {
        var unread = new UnreadBytes(long.MaxValue, long.MaxValue, static () => { }, NullLogger<UnreadBytes>.Instance);
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen =>
        {
            listen.Use(next => connection =>
            {
                _closed = connection.ConnectionClosed;
                return next(connection);
            });
            listen.Use(next => UnreadOutput.Count(unread, HalfClosedClients.Answer(_time, next)));
        }));
        _app = builder.Build();
        _app.Run(AnswerAsync);
    }

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    public async ValueTask DisposeAsync()
    {
        _answer.TrySetResult();
        _client.Dispose();
        await _app.DisposeAsync();
    }

    [Fact]
    public async Task Client_ThatClosesItsSide_IsAnswered()
    {
        await AskAndCloseAsync();
        Assert.False((await _request.Task).IsCancellationRequested);
        _answer.SetResult();
        using var reader = new StreamReader(_stream!);
        var answer = await reader.ReadToEndAsync(Cancelled);
        Assert.StartsWith("HTTP/1.1 200 OK", answer, StringComparison.Ordinal);
        Assert.Contains(Body, answer, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Client_ThatGetsNoAnswerInASecond_CountsAsGone()
    {
        await AskAndCloseAsync();
        var aborted = await _request.Task;
        _time.Advance(TimeSpan.FromSeconds(0.9));
        Assert.False(aborted.IsCancellationRequested);
        await Eventually.Is(() =>
        {
            _time.Advance(TimeSpan.FromSeconds(0.2));
            return aborted.IsCancellationRequested;
        });
    }

    [Fact]
    public async Task Client_ThatClosesItsSideDuringAStream_CountsAsGoneAtOnce()
    {
        _begins = true;
        await AskAndCloseAsync();
        var aborted = await _request.Task;
        await Eventually.Is(() => aborted.IsCancellationRequested);
    }

    private async Task AskAndCloseAsync()
    {
        await _app.StartAsync(Cancelled);
        await _client.ConnectAsync(IPAddress.Loopback, new Uri(_app.Urls.First()).Port, Cancelled);
        _stream = _client.GetStream();
        await _stream.WriteAsync("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"u8.ToArray(), Cancelled);
        await _request.Task;
        _client.Client.Shutdown(SocketShutdown.Send);
        await Eventually.Is(() => _closed.IsCancellationRequested);
    }

    private async Task AnswerAsync(HttpContext http)
    {
        if (_begins)
        {
            await http.Response.WriteAsync("a part", Cancelled);
            await http.Response.Body.FlushAsync(Cancelled);
        }

        _request.SetResult(http.RequestAborted);
        await _answer.Task;
        await http.Response.WriteAsync(Body, CancellationToken.None);
    }
}
