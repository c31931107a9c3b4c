using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

namespace MgbaBridge.Gateway.Tests.Operations;

/// <summary>The example of CONTRIBUTING.md ("Add an operation"): one declaration, which every interface serves.</summary>
public sealed class ExampleOperationTests
{
    [Fact]
    public async Task Operation_DeclaredOnce_IsServedByEveryInterface()
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port, services => services.AddSingleton(OperationCatalog.ListWith([FooOperations.Foo])));

        Assert.Equal(0x4D, (await PostAsync(gateway, "/v2/foo", """{"number":33554432}""")).GetProperty("foo").GetInt64());
        Assert.Contains("number is -1; expected an integer of at least 0", (await PostAsync(gateway, "/v2/foo", """{"number":-1}""")).GetProperty("detail").GetString(), StringComparison.Ordinal);

        using var socket = await WebSocketClient.OpenAsync(gateway);
        await socket.SendAsync("""{"id":1,"op":"game.foo","body":{"number":33554432}}""");
        Assert.Equal(0x4D, (await socket.NextAsync()).GetProperty("body").GetProperty("foo").GetInt64());

        var batch = await PostAsync(gateway, "/v2/batch", """{"items":[{"foo":{"number":33554432}},{"foo":{"number":33554433}}]}""");
        Assert.Equal("""[{"ok":true,"value":77},{"ok":true,"value":66}]""", batch.GetProperty("results").GetRawText());

        var document = await GetAsync(gateway, "/openapi/v1.json");
        Assert.Equal("Look at foo", document.GetProperty("paths").GetProperty("/v2/foo").GetProperty("post").GetProperty("summary").GetString());
        var items = document.GetProperty("paths").GetProperty("/v2/batch").GetProperty("post").GetProperty("requestBody").GetProperty("content").GetProperty("application/json")
            .GetProperty("schema").GetProperty("properties").GetProperty("items");
        Assert.True(items.GetProperty("items").GetProperty("properties").TryGetProperty("foo", out _));

        var listed = (await GetAsync(gateway, "/v2/operations")).GetProperty("operations").EnumerateArray();
        Assert.Equal("foo", listed.Single(operation => operation.GetProperty("name").GetString() == "game.foo").GetProperty("batchName").GetString());
    }

    [Theory]
    [InlineData("", "defect", 500)]
    [InlineData("memory", "memory-full", 507)]
    [InlineData("late", "defect", 500)]
    public async Task Operation_ThatFailsInside_IsAnsweredWithAProblem(string how, string problem, int status)
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port, services => services.AddSingleton(OperationCatalog.ListWith([FooOperations.Failing])));
        using var socket = await WebSocketClient.OpenAsync(gateway);
        await socket.SendAsync($$$"""{"id":1,"op":"game.failing","body":{"how":"{{{how}}}"}}""");
        JsonElement[] answers =
        [
            await PostAsync(gateway, "/v2/failing", $$"""{"how":"{{how}}"}"""),
            await PostAsync(gateway, "/v2/failing", $$"""{"how":"{{how}}"}""", idempotencyKey: "one"),
            (await socket.NextAsync()).GetProperty("problem"),
        ];
        Assert.All(answers, answer =>
        {
            Assert.Equal($"urn:mgba-bridge:problem:{problem}", answer.GetProperty("type").GetString());
            Assert.Equal(status, answer.GetProperty("status").GetInt32());
            Assert.True(answer.GetProperty("mayHaveRun").GetBoolean());
            Assert.NotEmpty(answer.GetProperty("detail").GetString()!);
        });
    }

    private static async Task<JsonElement> PostAsync(GatewayHost gateway, string path, string json, string? idempotencyKey = null)
    {
        using var content = new StringContent(json, Encoding.UTF8, "application/json");
        content.Headers.Add("Idempotency-Key", idempotencyKey is null ? [] : [idempotencyKey]);
        using var response = await gateway.Client.PostAsync(new Uri(path, UriKind.Relative), content, TestContext.Current.CancellationToken);
        return JsonDocument.Parse(await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken)).RootElement;
    }

    private static async Task<JsonElement> GetAsync(GatewayHost gateway, string path) =>
        JsonDocument.Parse(await gateway.Client.GetStringAsync(path, TestContext.Current.CancellationToken)).RootElement;
}

/// <summary>The command of the example. The script executes it as a read of a byte.</summary>
/// <param name="Number">The address.</param>
public readonly record struct ReadFoo(long Number) : ICommand<ReadFoo>
{
    private static readonly CommandDescriptor FooDescriptor = new("memory.read8", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => FooDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head) => head.Integer(Number);
}

/// <summary>The response of the example.</summary>
/// <param name="Foo">What was read.</param>
public readonly record struct FooAnswer(long Foo);

/// <summary>The JSON of the example.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(FooAnswer))]
internal sealed partial class FooJson : JsonSerializerContext;

/// <summary>The declaration of the example.</summary>
internal static class FooOperations
{
    private static readonly Resource Resource = new("Game", FooJson.Default);

    public static CommandOperation<ReadFoo, FooAnswer> Foo { get; } = new(Resource, "game.foo", HttpMethods.Post, "/v2/foo", Access.Read)
    {
        Summary = "Look at foo",
        Request = Parameters.Of(Parameter.Integer("number", 0, long.MaxValue, "A number."), static number => new ReadFoo(number)),
        RequestExample = """{"number":1}""",
        Read = static (_, reply) => new FooAnswer(reply.Values.TryReadInteger(out var foo) ? foo : throw new UnexpectedReplyException(default(ReadFoo).Descriptor)),
        ResponseExample = """{"foo":2}""",
        Item = ("foo", ItemResultKind.Number),
    };

    public static HandlerOperation<string, FooAnswer> Failing { get; } = new(Resource, "game.failing", HttpMethods.Post, "/v2/failing", Access.Read)
    {
        Summary = "Fail",
        Request = Parameters.Of(Parameter.Text("how", "The kind of failure.", minLength: 0)),
        RequestExample = """{"how":"memory"}""",
        Run = static async (_, how) =>
        {
            if (how == "late")
            {
                await Task.Yield();
            }

            throw how == "memory" ? new InsufficientMemoryException() : new InvalidOperationException("A test of a failure.");
        },
        ResponseExample = """{"foo":2}""",
    };
}
