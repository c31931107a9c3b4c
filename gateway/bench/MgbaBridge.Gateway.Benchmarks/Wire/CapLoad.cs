namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>
/// As many connections as the script takes, and some beyond: each of those must read an error and then the end. Half of them have sent a request by
/// then, which is what turns a careless close into a reset. The ones inside must not notice, and places that get free must be given away again.
/// </summary>
internal static class CapLoad
{
    private const int Beyond = 50, Again = 20;

    private static readonly TimeSpan OnceEach = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan Leaving = TimeSpan.FromMilliseconds(200);

    public static void Run(Load load)
    {
        using var inside = Open(load, load.Options.Clients);
        load.Extra["inside"] = AskAll(inside);
        KnockBeyond(load);
        load.Extra["insideAfter"] = AskAll(inside);
        inside.Close(Again);
        Thread.Sleep(Leaving); // some frames, until the script has seen them go
        using var again = Open(load, Again);
        load.Extra["again"] = AskAll(again);
        load.Extra["againOf"] = Again;
        load.Seconds = 3 * OnceEach.TotalSeconds;
    }

    private static Fleet Open(Load load, int count)
    {
        var fleet = new Fleet(load.Options.Port, load.Questions, load.Samples, load.Tally);
        fleet.Connect(count, 1, load.Options.ConnectPatience);
        return fleet;
    }

    /// <summary>How many of them are answered when each asks once.</summary>
    private static int AskAll(Fleet fleet)
    {
        var before = fleet.Answered;
        fleet.RunPaced(OnceEach, OnceEach);
        return (int)(fleet.Answered - before);
    }

    /// <summary>All knock at once; then each is read until the end, a reset or the end of patience.</summary>
    private static void KnockBeyond(Load load)
    {
        var tally = new Tally();
        var request = new byte[128];
        var length = load.Questions.Write(request, 1, 0);
        var sockets = new List<WireSocket>();
        for (var i = 0; i < Beyond; i++)
        {
            var socket = WireSocket.Open(load.Options.Port, Patience, out var error);
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
        load.Extra["beyond"] = Beyond;
        load.Extra["beyondTold"] = sockets.Count(socket => IsTold(socket, tally));
        load.Extra["beyondResets"] = tally.Resets;
        load.Extra["beyondRefused"] = tally.Refused;
        load.Extra["beyondSilent"] = tally.TimedOut;
    }

    /// <summary>Whether a connection reads a sentence and then the end of the stream.</summary>
    private static bool IsTold(WireSocket socket, Tally tally)
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
