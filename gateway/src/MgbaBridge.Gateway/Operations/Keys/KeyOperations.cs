using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Operations.Keys;

/// <summary>The game's keys: levels that a holder keeps, and presses that end by themselves.</summary>
internal static class KeyOperations
{
    private static readonly Resource Resource = new("Keys", KeyJson.Default);
    private const string PressExample = """{"frame":4711,"epoch":"9f3a01c2","down":4711,"up":4715,"lag":0}""";

    /// <summary>Keys that are held; perhaps none.</summary>
    internal static Parameter<KeySet> Held { get; } = Parameter.Keys("keys", "The keys.", mayBeEmpty: true);
    private static readonly Parameter<KeySet> Pressed = Parameter.Keys("keys", "The keys to press together.", mayBeEmpty: false);

    /// <summary>For how many frames keys are down.</summary>
    internal static Parameter<long> Frames { get; } = Parameter.Integer("frames", 1, (long)Limits.Frames, "For how many frames.");

    /// <summary>How long a key is up between two presses.</summary>
    internal static Parameter<long?> Gap { get; } = Parameter.Integer("gap", 1, (long)Limits.Gap, "How many frames up before the same key may go down again.").Optional("2");

    /// <summary>When the response is sent.</summary>
    internal static Parameter<bool> Wait { get; } = Parameter.Flag("wait", "Whether the response is sent when the keys are up again rather than immediately.");

    /// <summary>What a press does about earlier ones.</summary>
    internal static Parameter<PressWaiting> Waiting { get; } = Parameter.Choice<PressWaiting>(
        "waiting",
        "What a press does about presses of its keys by the same holder that are not over. `queue`: it comes behind them. `shorten`: it shortens the one before it (to 3 frames, and 1 up), keeps the "
        + $"order of different keys, and joins a waiting press of the same keys rather than wait for more than {Limits.Lag} frames. `replace`: it takes the place of those that wait, which get 409 `cancelled`, and shortens the one that has begun.");

    /// <summary>Presses as text.</summary>
    internal static Parameter<KeySequence?> Text { get; } =
        new Parameter<KeySequence>("sequence", $"Keys or `wait`, and frames: `A 4, wait 10, Up+B 2`. Up to {Limits.Steps} steps. Sensors of the cartridge show something meanwhile: `tilt 10/-5 4`, `B light 0.8 gyro 30 10`.", new KeySequenceKind(needsFrames: true)).Optional() with { IsArgument = true };

    private static readonly Parameter<IReadOnlyList<KeyStep>?> Steps = Parameter.List(
        "steps",
        Parameters.Of(
            Parameter.Keys("keys", "The keys to press together; none to wait.", mayBeEmpty: true).Or(default),
            Frames,
            static (keys, frames) => new KeyStep(keys, frames)),
        1, Limits.Steps, """[{"keys":["A"],"frames":4}]""", "The same as a list, instead of `sequence`.").Optional();

    public static CommandOperation<ReadKeys, KeysAnswer> Get { get; } = new(Resource, "keys.get", HttpMethods.Get, "/v2/keys", Access.Read)
    {
        Summary = "The keys that are down, and their holders",
        Request = Parameters.Always(new ReadKeys()),
        Read = static (_, reply) => KeysAnswer.Of(reply),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","mask":65,"keys":["A","Up"],"holders":[{"holder":"http","keys":["A","Up"]}]}""",
    };

    public static Operation Set { get; } = Level(
        "keys.set", HttpMethods.Put, "/v2/keys", KeyChange.Set, "setKeys", "Hold exactly these keys",
        "The keys stay down until this holder releases them. Keys of other holders stay down. An empty list releases all keys of this holder.");

    public static Operation Add { get; } = Level("keys.add", HttpMethods.Post, "/v2/keys/add", KeyChange.Add, "addKeys", "Press more keys and hold them", null);

    public static Operation Clear { get; } = Level(
        "keys.clear", HttpMethods.Post, "/v2/keys/clear", KeyChange.Clear, "clearKeys", "Release keys",
        "A key that was pressed in this frame stays down until its end, so that the game sees it.");

    public static CommandOperation<ReleaseKeys, DoneAnswer> Release { get; } = new(Resource, "keys.release", HttpMethods.Delete, "/v2/keys", Access.Play)
    {
        Summary = "Release all keys of this holder and cancel its queued taps",
        Request = Parameters.Always(new ReleaseKeys()),
        Read = DoneAnswer.Of,
        ResponseExample = DoneAnswer.Example,
    };

    public static CommandOperation<TapKeys, PressAnswer> Tap { get; } = new(Resource, "keys.tap", HttpMethods.Post, "/v2/keys/tap", Access.Play)
    {
        Summary = "Press keys together for some frames",
        Description = "Taps of a key queue behind each other, with a gap, so that the game sees each of them. The response has the frames `down` and `up`; "
            + "it is sent immediately, or with `wait` when the keys are up again. `unseen` in it names keys that someone holds already, so that the game sees no press of them.",
        Request = Parameters.Of(
            Pressed, Frames.Optional($"{TapKeys.DefaultFrames}"), Gap, Wait, Waiting.Optional("queue"), static (keys, frames, gap, wait, waiting) => new TapKeys(keys, frames, gap, wait, waiting)),
        RequestExample = """{"keys":["A"],"frames":4}""",
        Read = static (command, reply) => PressAnswer.Of(reply, command.Descriptor),
        ResponseExample = PressExample,
        Timeout = static command => command.Wait ? PressAnswer.MaxWait : null,
        Item = ("tap", ItemResultKind.Press),
        Holds = Operations.Held.Keys,
    };

    public static CommandOperation<PlaySequence, PressAnswer> Sequence { get; } = new(Resource, "keys.sequence", HttpMethods.Post, "/v2/keys/sequence", Access.Play)
    {
        Summary = "Press keys one after the other",
        Description = "As text (`sequence`) or as a list (`steps`). All steps or none. With sensors of the cartridge it needs the permission of `sensors.set`.",
        Request = Parameters.Of(Text, Steps, Gap, Wait, Waiting.Optional("queue"), SequenceOf),
        RequestExample = """{"sequence":"A 4, wait 10, Up+B 2"}""",
        Read = static (command, reply) => PressAnswer.Of(reply, command.Descriptor),
        ResponseExample = PressExample,
        Timeout = static command => command.Wait ? PressAnswer.MaxWait : null,
        Item = ("sequence", ItemResultKind.Press),
        AccessOf = static command => command.Steps.HasSensors ? Access.Control : Access.Play,
        Holds = Operations.Held.Keys | Operations.Held.Sensors,
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get, Set, Add, Clear, Release, Tap, Sequence];

    private static CommandOperation<ChangeKeys, DoneAnswer> Level(string name, string method, string path, KeyChange change, string batchName, string summary, string? description) =>
        new(Resource, name, method, path, Access.Play)
        {
            Summary = summary,
            Description = description,
            Request = Parameters.Of(Held, keys => new ChangeKeys(change, keys)),
            RequestExample = """{"keys":["A","Up"]}""",
            Read = DoneAnswer.Of,
            ResponseExample = DoneAnswer.Example,
            Item = (batchName, ItemResultKind.Done),
            Holds = change == KeyChange.Clear ? Operations.Held.None : Operations.Held.Keys,
        };

    private static Made<PlaySequence> SequenceOf(KeySequence? text, IReadOnlyList<KeyStep>? steps, long? gap, bool wait, PressWaiting? waiting) => text is null == steps is null
        ? new WrongParameters("Write either \"sequence\": \"A 4, wait 10, Up+B 2\" or \"steps\": [{\"keys\": [\"A\"], \"frames\": 4}].")
        : new PlaySequence(text ?? new KeySequence(steps!), gap, wait, waiting);
}

/// <summary>The JSON of keys.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(KeysAnswer))]
[JsonSerializable(typeof(PressAnswer))]
[JsonSerializable(typeof(DoneAnswer))]
internal sealed partial class KeyJson : JsonSerializerContext;
