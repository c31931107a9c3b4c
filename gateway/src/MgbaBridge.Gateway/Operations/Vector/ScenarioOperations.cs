using System.Runtime.InteropServices;
using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Scenarios;
using MgbaBridge.Gateway.Json;
using MgbaBridge.Gateway.Operations.Emulators;
using MgbaBridge.Gateway.Operations.Symbols;

namespace MgbaBridge.Gateway.Operations.Vector;

/// <summary>A scenario to load.</summary>
/// <param name="Name">The name under which it is kept.</param>
/// <param name="Integration">The documents of an integration of stable-retro, or null.</param>
/// <param name="Yaml">A scenario as YAML, or null.</param>
/// <param name="Emulator">The emulator whose game has the names of the YAML; null for the first.</param>
internal readonly record struct ScenarioRequest(string Name, (JsonElement Data, JsonElement Scenario)? Integration, string? Yaml, string? Emulator);

/// <summary>A scenario.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Variables">Its variables, in the order in which `vector.step` returns them.</param>
/// <param name="Actions">The key combinations of each group, of which a step may hold one; empty when every combination is allowed.</param>
/// <param name="Reward">The reward of a step, for programs that compute it: on a stack, in postfix order. Omitted in lists, as is `done`.</param>
/// <param name="Done">Likewise a number that is positive when the episode is over.</param>
/// <param name="Crop">The part of the picture that matters; omitted where the scenario names none.</param>
public sealed record ScenarioAnswer(
    string Name, IReadOnlyList<VariableAnswer> Variables, IReadOnlyList<IReadOnlyList<string>> Actions, IReadOnlyList<ExpressionStep>? Reward, IReadOnlyList<ExpressionStep>? Done, CropAnswer? Crop)
{
    /// <summary>The answer for a scenario.</summary>
    internal static ScenarioAnswer Of(string name, Scenario scenario) => new(
        name,
        [.. scenario.Variables.Select(variable => new VariableAnswer(variable.Name, variable.Location, variable.Type.ToString(), variable.Mask == -1 ? null : variable.Mask))],
        [.. scenario.Actions.Select(group => group.Select(keys => keys.ToString()).ToArray())],
        scenario.Reward,
        scenario.Done,
        scenario.Crop is { } crop ? new CropAnswer(crop.X, crop.Y, crop.Width, crop.Height) : null);
}

/// <summary>A variable of a scenario.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Location">Where it is.</param>
/// <param name="Type">How it is stored, as in `data.json`.</param>
/// <param name="Mask">The bits that count; omitted for all of them.</param>
public readonly record struct VariableAnswer(string Name, [property: JsonConverter(typeof(LocationConverter))] Location Location, string Type, long? Mask);

/// <summary>A part of the picture.</summary>
/// <param name="X">The first pixel of a row.</param>
/// <param name="Y">The first row.</param>
/// <param name="Width">How many pixels a row has; 0 is the rest.</param>
/// <param name="Height">How many rows there are; 0 is the rest.</param>
public readonly record struct CropAnswer(int X, int Y, int Width, int Height);

/// <summary>All scenarios.</summary>
/// <param name="Scenarios">By name.</param>
public sealed record ScenariosAnswer(IReadOnlyList<ScenarioAnswer> Scenarios);

/// <summary>Scenarios: the variables of a game, the reward of a step, and when an episode is over.</summary>
internal static class ScenarioOperations
{
    private const string One = "/v2/scenarios/{name}";
    private const string Head = """{"name":"tetris","variables":[{"name":"score","location":"0xC0A0","type":"<d4"}],"actions":[["","Left","Right"]],"crop":{"x":0,"y":0,"width":160,"height":144}""";
    private const string Example = Head + ""","reward":[{"change":"score"},{"number":0.01},{"operator":"-"}],"done":[{"value":"score"},{"number":400},{"operator":">"}]}""";

    private static readonly Resource Resource = new("Learning", ScenarioJson.Default) { UsesEmulator = false, IsPerEmulator = false, IsShared = false };

    private static readonly Parameter<string> Name = Parameter.Text("name", "The name of the scenario.") with { Example = "tetris" };

    private static readonly StatusNote Missing = FailureKind.NoSuchScenario;

    public static HandlerOperation<NoParameters, ScenariosAnswer> List { get; } = new(Resource, "scenarios.list", HttpMethods.Get, "/v2/scenarios", Access.Read)
    {
        Summary = "The scenarios that the gateway keeps",
        Request = Parameters.None,
        Run = static (invocation, _) => ValueTask.FromResult<Result<ScenariosAnswer>>(
            new ScenariosAnswer([.. from one in invocation.Get<ScenarioStore>().All
                                    let name = invocation.Caller.Shown(one.Name)
                                    where name is not null
                                    select ScenarioAnswer.Of(name, one.Scenario) with { Reward = null, Done = null }])),
        ResponseExample = $$"""{"scenarios":[{{Head}}}]}""",
    };

    public static HandlerOperation<ScenarioRequest, ScenarioAnswer> Load { get; } = new(Resource, "scenarios.load", HttpMethods.Put, One, Access.Write)
    {
        Summary = "Load a scenario: variables, reward and end of a game",
        Description = "Either `yaml`, or `data` and `scenario`, the documents of an integration of stable-retro, unchanged (docs/learning.md describes both). `vector.step` then returns rewards and ends. "
            + "It replaces an earlier scenario of this name and lasts until the gateway ends. An error names document, line and column; lines of JSON documents count from the first brace.",
        Request = Parameters.Of(
            Name,
            Parameter.Json<JsonElement>("data", "the object of data.json", ScenarioJson.Default, "The content of `data.json`.").Optional(),
            Parameter.Json<JsonElement>("scenario", "the object of scenario.json", ScenarioJson.Default, "The content of `scenario.json`.").Optional(),
            Parameter.Text("yaml", "A scenario as YAML: its variables, and reward and end as expressions.", ScenarioLimits.Document).Optional(),
            Parameter.Text("emulator", "The id of the emulator whose game has the names of `yaml`; the first unless given.").Optional(),
            Make),
        RequestExample = """{"yaml":"variables: {score: u32 0x02000094}\nreward: change(score) - 0.01\ndone: score > 400\n"}""",
        Run = static (invocation, request) => request.Yaml is { } yaml ? LoadAsync(invocation, request, yaml) : ValueTask.FromResult(Loaded(invocation, request, () =>
        {
            var (data, scenario) = request.Integration!.Value;
            return ScenarioFile.Read(TextOf(data), TextOf(scenario));
        })),
        ResponseExample = Example,
        Statuses = [FailureKind.NoSuchEmulator, (FailureKind.MemoryFull, "so many scenarios are kept as there may be.")],
    };

    public static HandlerOperation<string, ScenarioAnswer> Delete { get; } = new(Resource, "scenarios.delete", HttpMethods.Delete, One, Access.Write)
    {
        Summary = "Delete a scenario",
        Request = Parameters.Of(Name),
        Run = static (invocation, name) => ValueTask.FromResult<Result<ScenarioAnswer>>(
            invocation.Get<ScenarioStore>().Delete(invocation.Caller.Kept(name)) is { } scenario ? ScenarioAnswer.Of(name, scenario) : NotFound(name)),
        ResponseExample = Example,
        Statuses = [Missing],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [List, Load, Delete];

    /// <summary>There is no scenario of this name.</summary>
    internal static Failure NotFound(string name) => new Failure(FailureKind.NoSuchScenario, $"There is no scenario {name}.", new NextStep(List, "lists them"));

    private static Made<ScenarioRequest> Make(string name, JsonElement? data, JsonElement? scenario, string? yaml, string? emulator) => (data, scenario, yaml) switch
    {
        ({ } variables, { } rest, null) => new ScenarioRequest(name, (variables, rest), null, emulator),
        (null, null, not null) => new ScenarioRequest(name, null, yaml, emulator),
        _ => new WrongParameters("A scenario is yaml, or data and scenario."),
    };

    private static ValueTask<Result<ScenarioAnswer>> LoadAsync(Invocation invocation, ScenarioRequest request, string yaml) =>
        invocation.Get<EmulatorRegistry>().TryGet(request.Emulator, invocation.Caller.Owner, out var emulator)
            ? GameContext.WithAsync(invocation with { Emulator = emulator }, game => Loaded(invocation, request, () => ScenarioYaml.Read(yaml, game.Names)))
            : ValueTask.FromResult<Result<ScenarioAnswer>>(EmulatorOperations.NoSuchEmulator(request.Emulator));

    private static Result<ScenarioAnswer> Loaded(Invocation invocation, ScenarioRequest request, Func<Scenario> read)
    {
        try
        {
            var scenario = read();
            return invocation.Get<ScenarioStore>().Keep(invocation.Caller.Kept(request.Name), scenario) is { } full ? new Failure(FailureKind.MemoryFull, full, new NextStep(Delete, "deletes one")) : ScenarioAnswer.Of(request.Name, scenario);
        }
        catch (ScenarioFormatException exception)
        {
            return Failure.BadRequest(exception.Message);
        }
    }

    private static byte[] TextOf(JsonElement document) => JsonMarshal.GetRawUtf8Value(document).ToArray(); // with its lines
}

/// <summary>The JSON of scenarios.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(JsonElement))]
[JsonSerializable(typeof(ScenarioAnswer))]
[JsonSerializable(typeof(ScenariosAnswer))]
internal sealed partial class ScenarioJson : JsonSerializerContext;
