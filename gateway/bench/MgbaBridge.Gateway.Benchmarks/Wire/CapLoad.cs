namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>
/// Opens as many connections as the script accepts and 50 more. Each of the 50 must receive an error and then the end of the stream; half of them send a
/// request first, because closing a socket with unread data causes a reset. The accepted connections must be unaffected, and closed ones must be replaceable.
/// </summary>
internal static class CapLoad
{
    private const int Excess = 50, Reopened = 20;

    private static readonly TimeSpan Period = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan CloseDelay = TimeSpan.FromMilliseconds(200);

    public static void Run(Load load)
    {
        using var accepted = Open(load, load.Options.Clients);
        load.Extra["accepted"] = SendAll(accepted);
        ExceedLimit(load);
        load.Extra["acceptedAfter"] = SendAll(accepted);
        accepted.Close(Reopened);
        Thread.Sleep(CloseDelay); // some frames, until the script has noticed
        using var reopened = Open(load, Reopened);
        load.Extra["reopened"] = SendAll(reopened);
        load.Extra["reopenedOf"] = Reopened;
        load.Seconds = 3 * Period.TotalSeconds;
    }

    private static Fleet Open(Load load, int count)
    {
        var fleet = new Fleet(load.Options.Port, load.Requests, load.Samples, load.Tally);
        fleet.Connect(count, 1, load.Options.ConnectTimeout);
        return fleet;
    }

    /// <summary>Returns how many connections receive an answer when each sends one request.</summary>
    private static int SendAll(Fleet fleet)
    {
        var before = fleet.Answered;
        fleet.RunPaced(Period, Period);
        return (int)(fleet.Answered - before);
    }

    /// <summary>Opens 50 connections at once, then reads each until its end, a reset or the timeout.</summary>
    private static void ExceedLimit(Load load)
    {
        var tally = new Tally();
        var request = new byte[128];
        var length = load.Requests.Write(request, 1, 0);
        var sockets = new List<LoopbackSocket>();
        for (var i = 0; i < Excess; i++)
        {
            var socket = LoopbackSocket.Open(load.Options.Port, Timeout, out var error);
            if (error == Errno.None && i % 2 == 0)
            {
                socket.Send(request.AsSpan(0, length), out error);
            }
            if (error == Errno.None)
            {
                sockets.Add(socket);
            }
            else
            {
                tally.Count(error);
                socket.Dispose();
            }
        }
        load.Extra["excess"] = Excess;
        load.Extra["excessNotified"] = sockets.Count(socket => IsNotified(socket, tally));
        load.Extra["excessResets"] = tally.Resets;
        load.Extra["excessRefused"] = tally.Refused;
        load.Extra["excessSilent"] = tally.TimedOut;
    }

    /// <summary>Whether a connection receives the error and then the end of the stream.</summary>
    private static bool IsNotified(LoopbackSocket socket, Tally tally)
    {
        using var closing = socket;
        var bytes = new byte[1024];
        var filled = 0;
        while (true)
        {
            var count = socket.Receive(bytes.AsSpan(filled), out var error);
            filled += count;
            if (error != Errno.None)
            {
                tally.Count(error);
                return false;
            }
            if (count == 0)
            {
                return bytes.AsSpan(0, filled).IndexOf("too-many-connections"u8) >= 0;
            }
        }
    }
}
