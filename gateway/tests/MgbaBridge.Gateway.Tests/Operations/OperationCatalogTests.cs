using System.Reflection;
using System.Text;
using System.Text.Json.Serialization;
using System.Text.Json;
using System.Text.RegularExpressions;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Interfaces.WebSockets;
using MgbaBridge.Gateway.Json;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Emulators;
using MgbaBridge.Gateway.Operations.Guests;
using MgbaBridge.Gateway.Security;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations;

public sealed partial class OperationCatalogTests
{
    // which files map routes, and why
    private static readonly Dictionary<string, string> MapsRoutes = new()
    {
        ["Interfaces/Http/OperationRoutes.cs"] = "maps the operations",
        ["Interfaces/OpenApi/OpenApiEndpoints.cs"] = "the document of the operations, and the page that shows it",
        ["Interfaces/Mcp/Server/McpServices.cs"] = "the endpoint of a protocol of its own",
        ["Interfaces/MgbaHttp/MgbaHttpPaths.cs"] = "the paths of another program",
        ["Interfaces/WebPage/HomePage.cs"] = "the page for people, which is no operation",
        ["Interfaces/Http/Streams/EchoEndpoint.cs"] = "a constant response for measurements, which exists only with a setting",
    };

    // commands that are no operation of the same name, and why
    private static readonly Dictionary<string, string[]> OtherCommands = new()
    {
        ["of the connection"] = ["hello", "cancel", "owner.release", "ping", "watch", "unwatch"],
        ["of the script, of which an operation shows more or something else"] = ["commands", "status", "echo"],
        ["cells: an operation for each signed and unsigned type"] = ["memory.read8", "memory.read16", "memory.read32", "memory.write8", "memory.write16", "memory.write32"],
        ["one operation with a choice"] = ["console.log", "console.warn", "console.error", "state.save_slot", "state.save_file", "state.load_slot", "state.load_file"],
        ["conditions of a batch"] = ["guard", "guard8", "guard16", "guard32"],
        ["part of vector.step"] = ["state.keep"],
        ["part of game.get"] = ["cartridge.get"],
        ["part of debug.hardware"] = ["debug.banks"],
        ["only for mGBA-http's paths"] = ["game.frame", "screen.save"],
    };

    // operations of one command that has another name, and why
    private static readonly Dictionary<string, string> OtherNames = new()
    {
        ["console.write"] = "chooses among three commands",
        ["debug.removeAll"] = "sends debug.remove without an id",
        ["freezes.deleteAll"] = "sends freezes.delete without a name",
    };

    private static IEnumerable<Type> Types => typeof(Operation).Assembly.GetTypes();

    [Fact]
    public void Health_OfTheGateway_IsListedAsItIs()
    {
        var health = OperationCatalog.All.Select(operation => OperationAnswer.Of(operation, new Caller(Role.Viewer))).Single(operation => operation.Path == "/healthz");
        Assert.True(health is { Name: "health.live", WithoutToken: true, PerEmulator: false });
    }

    [Fact]
    public void WebSocket_OfEachOperation_IsWhetherASocketKnowsItsName()
    {
        var handlers = new WebSocketHandlers(OperationCatalog.All);
        Assert.All(OperationCatalog.All, operation => Assert.Equal(
            (operation.Name, handlers.TryFind(Encoding.UTF8.GetBytes(operation.Name), out _)), (operation.Name, OperationAnswer.Of(operation, new Caller(Role.Owner)).WebSocket)));
    }

    [Fact]
    public void Operations_DeclaredAnywhere_AreInTheCatalog()
    {
        var declared = from type in Types
                       from property in type.GetProperties(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic)
                       where property.PropertyType.IsAssignableTo(typeof(Operation))
                       select (Operation)property.GetValue(null)!;
        Assert.Empty(declared.Select(operation => operation.Name).Except(OperationCatalog.All.Select(operation => operation.Name))); // StepAlone is lease.step for callers in the gateway
    }

    [Fact]
    public void Operations_OfTheCatalog_HaveNamesAndPathsOfTheirOwn()
    {
        Assert.Empty(Twice(OperationCatalog.All.Select(operation => operation.Name)));
        Assert.Empty(Twice(OperationCatalog.All.Select(operation => $"{operation.Method} {operation.Path}")));
        Assert.Empty(Twice(OperationCatalog.All.Select(operation => operation.Batch?.Name).OfType<string>()));
    }

    [Fact]
    public void Operations_OfOneCommand_HaveItsName()
    {
        var differ = OperationCatalog.All.Where(static operation => operation.GetType() is { IsGenericType: true } type && type.GetGenericTypeDefinition() == typeof(CommandOperation<,>)
            && !NamesOf(type.GetGenericArguments()[0]).Append(DefaultNameOf(type.GetGenericArguments()[0])).Contains(operation.Name));
        Assert.Equal(OtherNames.Keys.Order(), differ.Select(operation => operation.Name).Where(name => !CellOperation().IsMatch(name)).Order());
    }

    [Fact]
    public void Commands_OfTheScript_HaveTheNamesOfTheirOperations()
    {
        var commands = typeof(CommandDescriptor).Assembly.GetTypes().SelectMany(NamesOf).Distinct();
        Assert.Equal(OtherCommands.Values.SelectMany(names => names).Order(), commands.Except(OperationCatalog.All.Select(operation => operation.Name)).Order());
    }

    [Fact]
    public void Operations_ByGet_ChangeNothing() =>
        Assert.DoesNotContain(OperationCatalog.All, operation => operation.Method == "GET" && (operation.IsEffect || (operation.Access != Access.Read && operation != EmulatorOperations.Output && operation != GuestOperations.List))); // what an emulator prints, and who was invited, is for owners

    /// <summary>Command line, WebSocket and MCP show them too: they name operations, and no path of HTTP.</summary>
    [Fact]
    public void Sentences_OfOperationsAndParameters_NameOperations()
    {
        var operations = OperationCatalog.All.Where(operation => !operation.IsHttpOnly).ToList();
        var sentences = operations.SelectMany(operation => ParametersIn(operation.Describe().Parameters)).Select(parameter => parameter.Sentence)
            .Concat(operations.Select(operation => operation.Description).OfType<string>()).ToList();
        Assert.DoesNotContain(sentences, sentence => PathOfHttp().IsMatch(sentence));

        var groups = OperationCatalog.All.Select(operation => operation.Name[..operation.Name.IndexOf('.')]).ToHashSet();
        var named = sentences.SelectMany(sentence => OperationName().Matches(sentence)).Select(match => match.Groups[1].Value).Where(name => name.Contains('.', StringComparison.Ordinal) && groups.Contains(name.Split('.')[0]));
        Assert.Empty(named.Except(OperationCatalog.All.Select(operation => operation.Name)));

        static IEnumerable<Parameter> ParametersIn(IEnumerable<Parameter> parameters) =>
            parameters.SelectMany(parameter => (Parameter[])[parameter, .. ParametersIn([.. parameter.Shape.Items ?? [], .. parameter.Shape.Properties ?? []])]);
    }

    /// <summary>docs/playing.md lists the operations that only HTTP has.</summary>
    [Fact]
    public void Operations_OnlyOverHttp_AreThoseOfTheDocumentation()
    {
        var lines = File.ReadAllLines(Repository.File("docs/playing.md"));
        var documented = lines.SkipWhile(line => !line.StartsWith("These are available over HTTP only", StringComparison.Ordinal)).Skip(4)
            .TakeWhile(line => line.StartsWith('|')).SelectMany(line => OperationName().Matches(line.Split('|')[1]).Select(match => match.Groups[1].Value));
        Assert.Equal(OperationCatalog.All.Where(operation => operation.IsHttpOnly).Select(operation => operation.Name).Order(), documented.Order());
    }

    [Fact]
    public void Routes_OfTheApi_AreMadeFromOperations()
    {
        var root = Repository.File("gateway/src/MgbaBridge.Gateway");
        var mapped = from folder in new[] { "Operations", "Interfaces" }
                     from file in Directory.EnumerateFiles(Path.Combine(root, folder), "*.cs", SearchOption.AllDirectories)
                     where MapCall().IsMatch(File.ReadAllText(file))
                     select Path.GetRelativePath(root, file).Replace('\\', '/');
        Assert.Equal(MapsRoutes.Keys.Order(), mapped.Order());
    }

    [Fact]
    public async Task OperationsList_OverHttpAndWebSocket_HasEveryOperation()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        var listed = JsonDocument.Parse(await gateway.Client.GetStringAsync("/v2/operations", TestContext.Current.CancellationToken)).RootElement.GetProperty("operations");
        Assert.Equal(OperationCatalog.All.Select(operation => operation.Name), listed.EnumerateArray().Select(operation => operation.GetProperty("name").GetString()));
        var tap = listed.EnumerateArray().Single(operation => operation.GetProperty("name").GetString() == "keys.tap");
        Assert.Equal(
            """{"name":"keys.tap","method":"POST","path":"/v2/keys/tap","access":"play","role":"guest","allowed":true,"perEmulator":true,"withoutToken":false,"effect":true,"inBatch":true,"batchName":"tap","batchLast":false,"webSocket":true,"summary":"Press keys together for some frames"}""",
            tap.GetRawText());
        using var socket = await WebSocketClient.OpenAsync(gateway);
        await socket.SendAsync("""{"id":1,"op":"operations.list"}""");
        Assert.Equal(listed.GetRawText(), (await socket.NextAsync()).GetProperty("body").GetProperty("operations").GetRawText());
    }

    [Fact]
    public void JsonOfResources_IsWrittenAndReadAlike()
    {
        var contexts = Types.Where(type => type.IsSubclassOf(typeof(JsonSerializerContext)) && type.Namespace!.StartsWith("MgbaBridge.Gateway.Operations.", StringComparison.Ordinal))
            .Select(type => (type.Name, ((JsonSerializerContext)type.GetProperty("Default", BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic)!.GetValue(null)!).Options))
;
        Assert.All(contexts, context => Assert.Equal(
            (context.Name, "camelCase", JsonIgnoreCondition.WhenWritingNull, JsonUnmappedMemberHandling.Disallow, true, JsonNumberHandling.Strict),
            (context.Name, context.Options.PropertyNamingPolicy!.ConvertName("CamelCase"), context.Options.DefaultIgnoreCondition, context.Options.UnmappedMemberHandling,
                context.Options.RespectNullableAnnotations, context.Options.NumberHandling)));
    }

    /// <summary>Metadata is made at its first use, so that a type that its context lacks would be found by a user.</summary>
    [Fact]
    public void JsonOfOperations_IsInTheirContexts()
    {
        var all = OperationCatalog.All.Where(operation => !operation.IsHttpOnly)
            .SelectMany(operation => operation.Describe().Parameters.Select(parameter => parameter.Shape.Model).Append((LazyJsonTypeInfo?)operation.GetType().GetProperty("Response")!.GetValue(operation)))
            .OfType<LazyJsonTypeInfo>().ToList();
        Assert.All(all, json => Assert.Equal(json.Type, json.Untyped.Type));
        Assert.True(all.Count > OperationCatalog.All.Count / 2, $"{all.Count} found");
    }

    /// <summary>The names among which a command of this type chooses.</summary>
    private static IEnumerable<string> NamesOf(Type command) => command.GetFields(BindingFlags.Static | BindingFlags.NonPublic)
        .Where(field => field.FieldType == typeof(CommandDescriptor)).Select(field => ((CommandDescriptor)field.GetValue(null)!).Name);

    private static string DefaultNameOf(Type command) => ((CommandDescriptor)command.GetProperty(nameof(Ping.Descriptor))!.GetValue(Activator.CreateInstance(command))!).Name;

    private static IEnumerable<string> Twice(IEnumerable<string> names) => names.GroupBy(name => name).Where(group => group.Count() > 1).Select(group => group.Key);

    [GeneratedRegex(@"\.Map(Get|Post|Put|Patch|Delete|Methods|OpenApi|Fallback)\(")]
    private static partial Regex MapCall();

    [GeneratedRegex(@"^memory\.(read|write)\.[su](8|16|32)$")]
    private static partial Regex CellOperation();

    [GeneratedRegex(@"/v2/|\b(GET|PUT|POST|DELETE)\b")]
    private static partial Regex PathOfHttp();

    [GeneratedRegex("`([a-zA-Z.]+)`")]
    private static partial Regex OperationName();
}
