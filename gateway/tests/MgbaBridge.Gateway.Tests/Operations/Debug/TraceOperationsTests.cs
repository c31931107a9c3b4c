using System.Net;
using System.Text;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Debug;

/// <summary>What a game did, and the functions that are under way, on the real core.</summary>
public sealed class TraceOperationsTests
{
    [Fact]
    public async Task Trace_GoesOnWhereItEnded()
    {
        await using var play = await Play.StartAsync();
        await KeepAsync(play);
        await play.WaitAsync(20);
        var first = (await play.GetAsync("/v2/debug/history")).GetProperty("first").GetInt64();
        var whole = await play.GetAsync($"/v2/debug/trace?kinds=call,return,interrupt&from={first + 2}&count=40");
        Assert.Equal(0, whole.GetProperty("missed").GetInt64());
        var half = await play.GetAsync($"/v2/debug/trace?kinds=call,return,interrupt&from={first + 2}&count=15");
        var next = half.GetProperty("next");
        var rest = await play.GetAsync($"/v2/debug/trace?kinds=call,return,interrupt&from={next.GetProperty("from")}&number={next.GetProperty("number")}&count=25");
        Assert.Equal(Events(whole), Events(half).Concat(Events(rest)));
        Assert.Equal(40, Events(whole).Length);

        var dropped = await play.GetAsync($"/v2/debug/trace?kinds=call&from={first - 1}&count=1");
        Assert.Equal(1, dropped.GetProperty("missed").GetInt64());
        var coming = await play.GetAsync("/v2/debug/trace?kinds=call&from=9000000");
        Assert.Equal((0, 9000000), (Events(coming).Length, coming.GetProperty("next").GetProperty("from").GetInt64()));
    }

    [Fact]
    public async Task Instructions_OfAFunction_HaveItsNames()
    {
        await using var play = await Play.StartAsync();
        await KeepAsync(play);
        await play.WaitAsync(10);
        var target = (await CallsAsync(play))[0].Target;
        await NameAsync(play, [target]);
        var found = (await play.GetAsync($"/v2/debug/trace?kinds=instruction,call&location={NameOf(target)}&length=2&count=4")).GetProperty("events").EnumerateArray().ToArray();
        Assert.NotEmpty(found);
        Assert.All(found, one => Assert.Equal((target, NameOf(target)), (one.GetProperty("pc").GetString(), one.GetProperty("symbol").GetString())));
        Assert.All(found, static one => Assert.True(one.TryGetProperty("text", out _)));
    }

    [Fact]
    public async Task Backtrace_MatchesTheCallsOfFunctionsWithNames()
    {
        await using var play = await Play.StartAsync();
        await KeepAsync(play);
        await play.WaitAsync(10);
        var calls = await CallsAsync(play);
        await NameAsync(play, calls.Select(static call => call.Target));
        var target = calls[0].Target;
        await play.SendAsync(HttpMethod.Post, "/v2/debug/points", $$"""{"location":"{{target}}"}""");
        await Eventually.IsAsync(async () => (await play.GetAsync("/v2/debug")).GetProperty("halted").GetBoolean());
        var functions = (await play.GetAsync("/v2/debug/backtrace")).GetProperty("functions").EnumerateArray().ToArray();
        Assert.Equal((target, NameOf(target), "pc", "exact"), Fields(functions[0]));
        var (_, _, from, certainty) = Fields(functions[1]);
        Assert.Equal(("link", "matched"), (from, certainty));
        Assert.Contains(functions[1].GetProperty("call").GetString(), calls.Where(call => call.Target == target).Select(static call => call.Pc));
        Assert.Single((await play.GetAsync("/v2/debug/backtrace?count=1")).GetProperty("functions").EnumerateArray());
    }

    [Theory]
    [InlineData("/v2/debug/trace?kinds=call", HttpStatusCode.Conflict, "debug.keepHistory")]
    [InlineData("/v2/debug/trace?count=257", HttpStatusCode.BadRequest, "count is \"257\"")]
    [InlineData("/v2/debug/trace?location=nothing_here", HttpStatusCode.NotFound, "nothing_here")]
    [InlineData("/v2/debug/backtrace?count=129", HttpStatusCode.BadRequest, "count is \"129\"")]
    public async Task Refusals_SayWhatToChange(string path, HttpStatusCode status, string part)
    {
        await using var play = await Play.StartAsync();
        Assert.Contains(part, (await play.SendAsync(HttpMethod.Get, path, status: status)).GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Kinds_ThatAreUnknown_AreNamed()
    {
        await using var play = await Play.StartAsync();
        await KeepAsync(play);
        var refused = await play.SendAsync(HttpMethod.Get, "/v2/debug/trace?kinds=call,jump", status: HttpStatusCode.BadRequest);
        Assert.Contains("\"jump\" is no kind of event", refused.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    private static (string? Address, string? Symbol, string? From, string? Certainty) Fields(JsonElement function) =>
        (function.GetProperty("address").GetString(), function.GetProperty("symbol").GetString(), function.GetProperty("from").GetString(), function.GetProperty("certainty").GetString());

    private static string[] Events(JsonElement trace) => [.. trace.GetProperty("events").EnumerateArray().Select(static one => one.GetRawText())];

    private static async Task<(string Pc, string Target)[]> CallsAsync(Play play) =>
        [.. (await play.GetAsync("/v2/debug/trace?kinds=call&count=64")).GetProperty("events").EnumerateArray().Select(static one => (one.GetProperty("pc").GetString()!, one.GetProperty("address").GetString()!))];

    private static string NameOf(string address) => $"f_{address[2..]}";

    private static async Task NameAsync(Play play, IEnumerable<string> addresses)
    {
        var lines = addresses.Distinct().Order(StringComparer.Ordinal).Select(static address => $"{address[2..]} 00000000 T {NameOf(address)}\n");
        using var named = await play.RawAsync(HttpMethod.Put, "/v2/symbols", Play.Bytes(Encoding.ASCII.GetBytes(string.Concat(lines))));
        Assert.True(named.IsSuccessStatusCode);
    }

    private static Task<JsonElement> KeepAsync(Play play) => play.SendAsync(HttpMethod.Put, "/v2/debug/history", """{"megabytes":64}""");
}
