using System.Buffers;
using System.Net;
using System.Net.Sockets;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Transport;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.Time.Testing;

namespace MgbaBridge.Gateway.Tests.Transport;

public sealed class ConnectionTests
{
    [Fact]
    public async Task Close_BeforeTheTimerIsThere_LeavesNone()
    {
        var time = new Interrupting();
        using var listener = Listen();
        await using var connection = await ToAsync(listener, time);
        time.Created = () => connection.Close(FailureText.Stopping());
        connection.Run();
        Assert.False(time.Timer!.Change(TimeSpan.Zero, TimeSpan.Zero)); // disposed
    }

    [Fact]
    public async Task Callback_ThatThrows_TakesNoReplyFromOthers()
    {
        using var listener = Listen();
        await using var connection = await ToAsync(listener, TimeProvider.System);
        using var peer = await listener.AcceptSocketAsync(TestContext.Current.CancellationToken);
        var freed = 0;
        connection.CompleteHandshake(new HelloReply(), 1, ConnectionEvents.None with { CapacityFreed = _ => Assert.True(++freed != 2, "a defect") });
        connection.Run();
        var session = new Session();
        var (first, second) = (Ask(connection, session), Ask(connection, session));
        await peer.SendAsync("#1 1 00000000 ok<|END|>#2 1 00000000 ok<|END|>"u8.ToArray(), TestContext.Current.CancellationToken);
        using var one = await first.WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);
        using var other = await second.WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);
        Assert.Null(one.Failure ?? other.Failure);
        await Eventually.Is(() => connection.IsClosed);
    }

    private static Task<Reply> Ask(Connection connection, Session session)
    {
        var exchange = CommandExchange<Ping>.Rent(new Ping());
        Exchange.Prepare(exchange, session, null, default, 0, long.MaxValue, CancellationToken.None);
        var answer = exchange.Awaitable.AsTask();
        Assert.Equal(StartOutcome.Started, connection.TryStart(exchange, out _));
        return answer;
    }

    private static TcpListener Listen()
    {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return listener;
    }

    private static async Task<Connection> ToAsync(TcpListener listener, TimeProvider time)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(listener.LocalEndpoint, TestContext.Current.CancellationToken);
        var patient = new TransportSettings(new TransportOptions { SilenceTimeout = TimeSpan.FromSeconds(60) });
        return new Connection(socket, "here", new Session(), patient, new MonotonicClock(time), MemoryPool<byte>.Shared, ConnectionEvents.None);
    }

    /// <summary>Lets something happen just before a timer is handed out.</summary>
    private sealed class Interrupting : FakeTimeProvider
    {
        public Action? Created { get; set; }

        public ITimer? Timer { get; private set; }

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            Timer = base.CreateTimer(callback, state, dueTime, period);
            Created?.Invoke();
            return Timer;
        }
    }
}
