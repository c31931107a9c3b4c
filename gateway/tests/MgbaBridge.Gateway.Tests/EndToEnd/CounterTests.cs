using System.Globalization;
using System.Net;
using System.Runtime.CompilerServices;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.EndToEnd;

/// <summary>
/// Counters that only a long run reaches: frames, connections, ids of requests and numbers of events continue beyond 31 and 32 bits. The wire ends at
/// 53 bits (docs/protocol.md, section 2), which a million requests a second reach in 285 years.
/// </summary>
public sealed class CounterTests
{
    private const string Jump = "0x0203FFF0";
    private const int JumpValue = 90;
    private const int Increments = 40;
    private const int Before = 20;

    [Theory]
    [InlineData(1L << 31)]
    [InlineData(1L << 32)]
    public async Task Counters_BeyondALimit_GoOn(long limit)
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-counters-");
        try
        {
            var script = await ScriptAsync(folder.FullName, frame: limit - Before, connection: limit - 8);
            await using var play = await Play.StartAsync(await HeadlessEmulator.StartAsync(script: script));
            SetNumbers(play.Gateway.Emulators.First, id: limit - 150, number: limit - 10);
            using var socket = await WebSocketClient.OpenAsync(play.Gateway);
            var frame = (await socket.DoAsync("lease.take", """{"limitMs":10000}""")).GetProperty("frame").GetInt64();
            Assert.InRange(frame, 0, limit - Before - 1);
            await socket.DoAsync("memory.write", $$"""{"location":"{{Jump}}","type":"u8","value":{{JumpValue}}}""");
            frame = (await socket.DoAsync("lease.step", """{"frames":1}""")).GetProperty("frame").GetInt64();
            Assert.Equal(limit - Before, frame);

            // a wait, a press and a subscription that begin before and end after; each step is on the frame after the one before
            await socket.DoAsync("subscribe", """{"topics":["frame/1"]}""");
            await socket.SendAsync($$$"""{"id":"wait","op":"wait.until","body":{"frames":{{{Before + 5}}}}}""");
            await socket.SendAsync($$$"""{"id":"tap","op":"keys.tap","body":{"keys":["A"],"frames":{{{Before + 5}}},"wait":true}}""");
            var (step, events, waited, pressed) = (0, new List<(long Frame, long Number)>(), 0L, (Down: 0L, Up: 0L));
            await StepAsync();
            while (step < 2 * Before || waited == 0 || pressed.Up == 0 || events.Count < 2 * Before - 2)
            {
                var message = await socket.NextAsync();
                if (message.TryGetProperty("event", out _))
                {
                    var number = long.Parse(message.GetProperty("eventId").GetString()!.Split('-', ':')[^1], CultureInfo.InvariantCulture);
                    events.Add((message.GetProperty("body").GetProperty("frame").GetInt64(), number));
                    continue;
                }

                Assert.True(message.TryGetProperty("body", out var body), message.GetRawText());
                switch (message.GetProperty("id").ToString())
                {
                    case "wait":
                        waited = body.GetProperty("frame").GetInt64();
                        break;
                    case "tap":
                        pressed = (body.GetProperty("down").GetInt64(), body.GetProperty("up").GetInt64());
                        break;
                    default:
                        Assert.Equal(++frame, body.GetProperty("frame").GetInt64());
                        step++;
                        await StepAsync();
                        break;
                }
            }

            Assert.InRange(waited, limit + 1, limit + 10);
            Assert.Equal(Before + 5, pressed.Up - pressed.Down);
            Assert.InRange(pressed.Down, limit - Before, limit - 1);
            Assert.All(events.Zip(events.Skip(1)), pair => Assert.Equal((pair.First.Frame + 1, pair.First.Number + 1), pair.Second));
            Assert.True(events[0].Number < limit && events[^1].Number > limit, $"{events[0]} to {events[^1]}");
            await socket.DoAsync("lease.release");

            // and the ids of requests: many at a time, and effects one by one
            await Task.WhenAll(Enumerable.Range(0, 200).Select(async _ => Assert.Equal(0x3154424D, await play.ReadAsync("0x02000000"))));
            for (var value = 0; value < Increments; value++)
            {
                await IncreaseAsync(play, value, HttpStatusCode.OK);
                await IncreaseAsync(play, value, HttpStatusCode.PreconditionFailed);
            }

            Assert.Equal((Increments, 1), (await play.ReadAsync(Play.Scratch), await play.EdgesAsync(0)));
            Assert.True(LastId(SessionOf(play.Gateway.Emulators.First)) > limit);
            Assert.Equal("ready", (await play.AskGatewayAsync(HttpMethod.Get, "/v2/status")).GetProperty("state").GetString());

            Task StepAsync() => socket.SendAsync($$$"""{"id":{{{step}}},"op":"lease.step","body":{"frames":1,"from":{{{frame}}}}}""");
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static async Task IncreaseAsync(Play play, int value, HttpStatusCode status)
    {
        var items = $$$"""[{"guard":{"location":"{{{Play.Scratch}}}","type":"u32","value":{{{value}}}}},{"write":{"location":"{{{Play.Scratch}}}","type":"u32","value":{{{value + 1}}}}}]""";
        await play.SendAsync(HttpMethod.Post, "/v2/batch", $$"""{"items":{{items}}}""", status: status);
    }

    /// <summary>The script with another first number of connections, and a cell of memory that makes the next frame another one.</summary>
    private static async Task<string> ScriptAsync(string folder, long frame, long connection)
    {
        var text = await File.ReadAllTextAsync(Repository.File("lua/mgba-bridge.lua"), TestContext.Current.CancellationToken);
        foreach (var (first, other) in (IEnumerable<(string, string)>)
        [
            ("  next_id = 1,", $"  next_id = {connection},"),
            ("  state.frame, state.beat = state.frame + 1, state.beat + 1", $"""
              state.frame, state.beat = state.frame + 1, state.beat + 1
              if emu and emu:read8({Jump}) == {JumpValue} then
                emu:write8({Jump}, 0)
                state.frame = {frame}
              end
            """),
        ])
        {
            Assert.Equal(2, text.Split(first).Length);
            text = text.Replace(first, other, StringComparison.Ordinal);
        }

        var file = Path.Combine(folder, "mgba-bridge.lua");
        await File.WriteAllTextAsync(file, text, TestContext.Current.CancellationToken);
        return file;
    }

    private static void SetNumbers(EmulatorClient emulator, long id, long number)
    {
        LastId(SessionOf(emulator)) = id;
        LastNumber(emulator.Events) = number;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_session")]
    private static extern ref Session SessionOf(EmulatorClient emulator);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_lastId")]
    private static extern ref long LastId(Session session);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_last")]
    private static extern ref long LastNumber(EventFeed feed);
}
