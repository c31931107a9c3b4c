using System.Buffers.Binary;
using System.Text;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.EndToEnd;

/// <summary>A real core behind a link that breaks all the time: nothing is lost, nothing runs twice, nobody gets another's reply.</summary>
public sealed class CutLinkTests
{
    private const int Keys = 10;

    private static readonly Location Edges = Location.Bus(0x02000020);
    private static readonly TransportOptions Persistent = Clients.Patient with { MaxAttempts = 10, MaxConnectDelay = TimeSpan.FromMilliseconds(20) };

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task TenThousandIncrements_OverALinkCutAThousandTimes_AreEachAppliedOnce()
    {
        await using var emulator = await HeadlessEmulator.StartAsync(framesPerSecond: 240);
        await using var link = CutLink.To(emulator.Port, about: 500);
        await using var client = Clients.To(link.Port, Persistent);
        var applied = new int[Keys];
        var unknown = new int[Keys];
        // the game itself counts: each tap is an edge of its key
        await AtATime(8, 10_000, async (number, cancelled) =>
        {
            var key = number % Keys;
            using var reply = await client.SendAsync(new TapKeys(new KeySet(1 << key), Frames: 1, Gap: 1, Wait: false), default, cancelled);
            Assert.True(reply.Failure is null or { Rule.MayHaveRun: true }, $"tap {number}: {reply.Failure}");
            Interlocked.Increment(ref (reply.Failure is null ? applied : unknown)[key]);
        });
        Assert.True(link.Cuts >= 1_000, $"the link was cut only {link.Cuts} times");
        Assert.InRange(unknown.Sum(), 0, 100);
        await using var direct = Clients.To(emulator.Port);
        var counted = await AllPressedAsync(direct);
        for (var key = 0; key < Keys; key++)
        {
            Assert.InRange(counted[key], applied[key], applied[key] + unknown[key]);
        }
    }

    [Fact]
    public async Task HundredThousandEchoes_OverALinkThatIsCut_AreEachTheirOwn()
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var link = CutLink.To(emulator.Port, about: 20_000);
        await using var client = Clients.To(link.Port, Persistent);
        var answered = 0;
        await AtATime(64, 100_000, async (number, cancelled) =>
        {
            var tag = $"tag {number}";
            using var reply = await client.SendAsync(Clients.Echo(tag), default, cancelled);
            if (reply.Failure is null)
            {
                Assert.Equal(tag, Encoding.UTF8.GetString(reply.Tail.Span));
                Interlocked.Increment(ref answered);
            }
        });
        Assert.True(link.Cuts >= 100, $"the link was cut only {link.Cuts} times");
        Assert.InRange(answered, 99_900, 100_000);
    }

    private static Task AtATime(int inFlight, int count, Func<int, CancellationToken, ValueTask> body) => Parallel.ForEachAsync(
        Enumerable.Range(0, count), new ParallelOptions { MaxDegreeOfParallelism = inFlight, CancellationToken = Cancelled }, body);

    /// <summary>What the game counted once every tap that was taken has come and gone.</summary>
    private static async Task<int[]> AllPressedAsync(EmulatorClient client)
    {
        using (var last = await client.SendAsync(new TapKeys(new KeySet((1 << Keys) - 1), Frames: 1, Gap: 1, Wait: true), new RequestOptions { Timeout = TimeSpan.FromMinutes(2) }, Cancelled))
        {
            Assert.Null(last.Failure);
        }

        using var reply = await client.SendAsync(new ReadMemory(Edges, Keys * 4), default, Cancelled);
        // less the one press that waited for all the others
        return [.. Enumerable.Range(0, Keys).Select(key => BinaryPrimitives.ReadInt32LittleEndian(reply.Tail.Span[(key * 4)..]) - 1)];
    }
}
