using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Keys;

/// <summary>The game's keys: levels that a holder keeps, and presses that end by themselves.</summary>
internal static class KeyOperations
{
    private const string Tag = "Keys";
    private const string PressExample = """{"frame":4711,"epoch":"9f3a01c2","down":4711,"up":4715}""";
    private const string DoneExample = """{"frame":4711,"epoch":"9f3a01c2"}""";

    public static CommandOperation<NoParameters, ReadKeys, KeysAnswer> Get { get; } = new("keys.get", HttpMethods.Get, "/v2/keys", Access.Read)
    {
        Tag = Tag,
        Summary = "The keys that are down, and their holders",
        Aliases = ["keys"],
        Request = Request.None,
        Command = static (NoParameters _, out ReadKeys command) =>
        {
            command = default;
            return null;
        },
        Read = static (_, reply) => KeysAnswer.Of(reply),
        Response = KeyJson.Default,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","mask":65,"keys":["A","Up"],"holders":[{"holder":"http","keys":["A","Up"]}]}""",
    };

    public static Operation Set { get; } = Level(
        "keys.set", HttpMethods.Put, "/v2/keys", KeyChange.Set, "setKeys", "Hold exactly these keys",
        "The keys stay down until this holder releases them. Keys of other holders stay down. An empty list releases all keys of this holder.");

    public static Operation Add { get; } = Level("keys.add", HttpMethods.Post, "/v2/keys/add", KeyChange.Add, "addKeys", "Press more keys and hold them", null);

    public static Operation Clear { get; } = Level(
        "keys.clear", HttpMethods.Post, "/v2/keys/clear", KeyChange.Clear, "clearKeys", "Release keys",
        "A key that was pressed in this frame stays down until its end, so that the game sees it.");

    public static CommandOperation<NoParameters, ReleaseKeys, DoneAnswer> Release { get; } = new("keys.release", HttpMethods.Delete, "/v2/keys", Access.Play)
    {
        Tag = Tag,
        Summary = "Release all keys of this holder and cancel its queued taps",
        Inputs = [Input.Holder],
        Request = Request.None,
        Command = static (NoParameters _, out ReleaseKeys command) =>
        {
            command = default;
            return null;
        },
        Read = static (_, reply) => new DoneAnswer(reply.Frame, reply.Epoch),
        Response = KeyJson.Default,
        ResponseExample = DoneExample,
    };

    public static CommandOperation<TapBody, TapKeys, PressAnswer> Tap { get; } = new("keys.tap", HttpMethods.Post, "/v2/keys/tap", Access.Play)
    {
        Tag = Tag,
        Summary = "Press keys together for some frames",
        Description = "Taps of a key queue behind each other, with a gap, so that the game sees each of them. The response has the frames `down` and `up`; "
            + "it is sent immediately, or with `wait` when the keys are up again.",
        Inputs = [Input.Holder],
        Request = Request.Body<TapBody>(KeyJson.Default, """{"keys":["A"],"frames":4}"""),
        Command = TapOf,
        Read = static (command, reply) => PressAnswer.Of(reply, command.Descriptor),
        Response = KeyJson.Default,
        ResponseExample = PressExample,
        Timeout = static body => body.Wait ? PressAnswer.MaxWait : null,
        Batch = BatchEntry.Of<TapBody, TapKeys>("tap", "Press keys together.", KeyJson.Default, TapOf, ItemResultKind.Press),
    };

    public static CommandOperation<SequenceBody, PlaySequence, PressAnswer> Sequence { get; } = new("keys.sequence", HttpMethods.Post, "/v2/keys/sequence", Access.Play)
    {
        Tag = Tag,
        Summary = "Press keys one after the other",
        Description = "As text (`sequence`) or as a list (`steps`). All steps or none.",
        Inputs = [Input.Holder],
        Request = Request.Body<SequenceBody>(KeyJson.Default, """{"sequence":"A 4, wait 10, Up+B 2"}"""),
        Command = SequenceOf,
        Read = static (command, reply) => PressAnswer.Of(reply, command.Descriptor),
        Response = KeyJson.Default,
        ResponseExample = PressExample,
        Timeout = static body => body.Wait ? PressAnswer.MaxWait : null,
        Batch = BatchEntry.Of<SequenceBody, PlaySequence>("sequence", "Press keys one after the other.", KeyJson.Default, SequenceOf, ItemResultKind.Press),
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get, Set, Add, Clear, Release, Tap, Sequence];

    private static CommandOperation<KeysBody, ChangeKeys, DoneAnswer> Level(
        string name, string method, string path, KeyChange change, string batchName, string summary, string? description)
    {
        CommandFactory<KeysBody, ChangeKeys> command = (KeysBody body, out ChangeKeys command) =>
        {
            command = new ChangeKeys(change, body.Keys);
            return null;
        };
        return new(name, method, path, Access.Play)
        {
            Tag = Tag,
            Summary = summary,
            Description = description,
            Inputs = [Input.Holder],
            Request = Request.Body<KeysBody>(KeyJson.Default, """{"keys":["A","Up"]}"""),
            Command = command,
            Read = static (_, reply) => new DoneAnswer(reply.Frame, reply.Epoch),
            Response = KeyJson.Default,
            ResponseExample = DoneExample,
            Batch = BatchEntry.Of<KeysBody, ChangeKeys>(batchName, $"{summary}.", KeyJson.Default, command, ItemResultKind.Done),
        };
    }

    private static string? TapOf(TapBody body, out TapKeys command)
    {
        command = new TapKeys(body.Keys, body.Frames, body.Gap, body.Wait);
        return body.Keys.Count == 0 ? TapBody.FormatHint : null;
    }

    private static string? SequenceOf(SequenceBody body, out PlaySequence command)
    {
        var wrong = body.Read(out var sequence);
        command = new PlaySequence(sequence, body.Gap, body.Wait);
        return wrong;
    }
}

/// <summary>The JSON of keys.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(KeysBody))]
[JsonSerializable(typeof(TapBody))]
[JsonSerializable(typeof(SequenceBody))]
[JsonSerializable(typeof(KeysAnswer))]
[JsonSerializable(typeof(PressAnswer))]
[JsonSerializable(typeof(DoneAnswer))]
internal sealed partial class KeyJson : JsonSerializerContext;
