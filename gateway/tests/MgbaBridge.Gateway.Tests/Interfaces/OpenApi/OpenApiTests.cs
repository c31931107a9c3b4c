using System.Net;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace MgbaBridge.Gateway.Tests.Interfaces.OpenApi;

public sealed partial class OpenApiTests
{
    /// <summary>Set to 1 to write docs/openapi.json and docs/asyncapi.json anew; scripts/openapi does.</summary>
    private const string Update = "MGBA_BRIDGE_UPDATE_OPENAPI";

    [Theory]
    [InlineData("/openapi/v1.json", "docs/openapi.json")]
    [InlineData("/asyncapi.json", "docs/asyncapi.json")]
    public async Task Document_OfTheProgram_IsTheCommittedOne(string path, string file)
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        var now = (await gateway.Client.GetStringAsync(path, TestContext.Current.CancellationToken)).ReplaceLineEndings("\n") + "\n";
        now = now.Replace(gateway.Client.BaseAddress!.Authority, "127.0.0.1:5000", StringComparison.Ordinal);
        if (Environment.GetEnvironmentVariable(Update) == "1")
        {
            await File.WriteAllTextAsync(Repository.File(file), now, TestContext.Current.CancellationToken);
        }

        Assert.True(File.Exists(Repository.File(file)), $"{file} is missing: run scripts/openapi.");
        var committed = await File.ReadAllTextAsync(Repository.File(file), TestContext.Current.CancellationToken);
        if (now != committed)
        {
            Assert.Fail($"{file} is stale: run scripts/openapi and look at the difference. {FirstDifference(now, committed)}");
        }
    }

    [Fact]
    public async Task PageOfMessages_HasEachOperationAndEvent()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        var page = await gateway.Client.GetStringAsync("/docs/messages", TestContext.Current.CancellationToken);
        Assert.All(["<code>keys.tap</code>", "<code>subscribe</code>", "<code>game.opened</code>", "href=\"/asyncapi.json\""], text => Assert.Contains(text, page, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Endpoints_OfVersion2_AreAllDescribed()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        var silent = gateway.Services.GetRequiredService<EndpointDataSource>().Endpoints.OfType<RouteEndpoint>()
            .Where(endpoint => endpoint.RoutePattern.RawText!.Contains("/v2/", StringComparison.Ordinal) && endpoint.Metadata.GetMetadata<OperationDescription>() is null)
            .Select(endpoint => endpoint.RoutePattern.RawText);
        Assert.Empty(silent);
    }

    [Fact]
    public async Task Groups_OfTheDocument_AreAllDescribedAndOursComeFirst()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        var document = JsonDocument.Parse(await gateway.Client.GetStringAsync("/openapi/v1.json", TestContext.Current.CancellationToken)).RootElement;
        var described = document.GetProperty("tags").EnumerateArray().Select(tag => tag.GetProperty("name").GetString()!).ToList();
        var used = document.GetProperty("paths").EnumerateObject().SelectMany(path => path.Value.EnumerateObject(), (path, operation) =>
            (Tag: operation.Value.GetProperty("tags")[0].GetString()!, IsOurs: path.Name.StartsWith("/v2/", StringComparison.Ordinal))).ToList();
        Assert.Equal(used.Select(one => one.Tag).Distinct().Order(), described.Order());
        var ours = used.Where(one => one.IsOurs).Select(one => one.Tag).ToHashSet();
        Assert.Equal(ours, described.Take(ours.Count).ToHashSet());
    }

    [Fact]
    public async Task Root_OfTheGateway_LeadsToThePage()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        Assert.Contains("swagger-ui", await gateway.Client.GetStringAsync("/docs/index.html", TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Examples_OfTheDocument_WorkAsTheyStand()
    {
        await using var play = await Play.StartAsync();
        var document = JsonDocument.Parse(await play.Client.GetStringAsync("/openapi/v1.json", TestContext.Current.CancellationToken)).RootElement;
        var tried = 0;
        foreach (var path in document.GetProperty("paths").EnumerateObject().Where(path => path.Name.StartsWith("/v2/", StringComparison.Ordinal)))
        {
            foreach (var operation in path.Value.EnumerateObject().Where(operation => !IsOneSided(path.Name, operation.Name)))
            {
                using var request = RequestOf(path.Name, operation);
                using var response = await play.Client.SendAsync(request, TestContext.Current.CancellationToken);
                var text = await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
                Assert.True(response.StatusCode is HttpStatusCode.OK, $"{request.Method} {request.RequestUri} answered {(int)response.StatusCode} {text}");
                tried++;
            }
        }

        Assert.True(tried > 25, $"only {tried} examples were tried");
    }

    [Fact]
    public async Task Page_OfTheDocument_NeedsNobodyElse()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        var page = await gateway.Client.GetStringAsync("/docs/index.html", TestContext.Current.CancellationToken);
        Assert.DoesNotContain("http://", page, StringComparison.Ordinal);
        Assert.DoesNotContain("https://", page, StringComparison.Ordinal);
        foreach (var asset in Assets().Matches(page).Select(match => match.Groups[1].Value))
        {
            using var response = await gateway.Client.GetAsync(new Uri(new Uri(gateway.Client.BaseAddress!, "/docs/"), asset), TestContext.Current.CancellationToken);
            Assert.Equal((asset, HttpStatusCode.OK), (asset, response.StatusCode));
        }
    }

    // needs a file that is not there, bytes of this very game, or what was asked for before; or does not end
    private static bool IsOneSided(string path, string method) =>
        path.StartsWith("/v2/states/", StringComparison.Ordinal) || path.StartsWith("/v2/agents/", StringComparison.Ordinal) || path.StartsWith("/v2/votes/", StringComparison.Ordinal) || path.StartsWith("/v2/freezes/", StringComparison.Ordinal) || path.StartsWith("/v2/debug/points/", StringComparison.Ordinal) || path.StartsWith("/v2/emulators/", StringComparison.Ordinal) || path.StartsWith("/v2/searches/", StringComparison.Ordinal) || path.StartsWith("/v2/recordings/", StringComparison.Ordinal) || path.StartsWith("/v2/fleet", StringComparison.Ordinal) || path.StartsWith("/v2/rewind", StringComparison.Ordinal) || path.StartsWith("/v2/values", StringComparison.Ordinal)
        || path is "/v2/rom/load" or "/v2/save/load" or "/v2/lease/step" or "/v2/lease/socket" or "/v2/debug/halt" or "/v2/debug/step" or "/v2/debug/back" or "/v2/debug/writers" or "/v2/events" or "/v2/holder/stream" or "/v2/ws" or "/v2/screen/stream" or "/v2/replay" or "/v2/video/text" or "/v2/speed"
        || (path, method) is ("/v2/debug/points", "post") or ("/v2/state", "put") or ("/v2/save", "put") or ("/v2/sensors/camera", "put") or ("/v2/symbols", "put") or ("/v2/cheats", "post") or ("/v2/lease", "post") or ("/v2/emulators", "post") or ("/v2/roms", "post") or ("/v2/roms/{rom}", "delete") or ("/v2/guests", "post") or ("/v2/guests/{guest}", "put" or "delete");

    private static HttpRequestMessage RequestOf(string path, JsonProperty operation)
    {
        var query = new StringBuilder();
        foreach (var parameter in operation.Value.TryGetProperty("parameters", out var parameters) ? parameters.EnumerateArray() : [])
        {
            if (!parameter.TryGetProperty("example", out var shown))
            {
                Assert.False(parameter.TryGetProperty("required", out var isRequired) && isRequired.GetBoolean());
                continue;
            }

            var (name, example) = (parameter.GetProperty("name").GetString()!, shown.ValueKind == JsonValueKind.Array ? string.Join(',', shown.EnumerateArray()) : shown.ToString());
            switch (parameter.GetProperty("in").GetString())
            {
                case "path": path = path.Replace($"{{{name}}}", example == "0x02000000" && operation.Name != "get" ? Play.Scratch : example, StringComparison.Ordinal); break;
                case "query": query.Append(query.Length == 0 ? '?' : '&').Append(name).Append('=').Append(example); break;
            }
        }

        HttpContent? content = null;
        if (operation.Value.TryGetProperty("requestBody", out var body))
        {
            content = body.GetProperty("content").TryGetProperty("application/json", out var json)
                ? new StringContent(json.GetProperty("example").GetRawText(), Encoding.UTF8, "application/json")
                : Play.Bytes([1, 2, 3]);
        }

        return new HttpRequestMessage(HttpMethod.Parse(operation.Name), path + query) { Content = content };
    }

    private static string FirstDifference(string now, string committed)
    {
        var (lines, before) = (now.Split('\n'), committed.Split('\n'));
        var at = Enumerable.Range(0, Math.Max(lines.Length, before.Length)).First(line => line >= lines.Length || line >= before.Length || lines[line] != before[line]);
        return $"Line {at + 1} is now: {(at < lines.Length ? lines[at].Trim() : "not there")}";
    }

    [GeneratedRegex("(?:src|href)=\"([^\"]+)\"")]
    private static partial Regex Assets();
}
