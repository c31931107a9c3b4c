using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Operations.Waits;

/// <summary>Requests that complete when a condition holds or frames have passed.</summary>
internal static class WaitOperations
{
    private static readonly Resource Resource = new("Playing", WaitJson.Default);

    private const string ExpectedFormat =
        "Write one of all, any and condition, or frames alone: {\"all\": [{\"location\": \"0x02000008\", \"type\": \"u32\", \"is\": \"ge\", \"value\": 100}], \"frames\": 600}.";

    /// <summary>What to wait for.</summary>
    internal static Parameter<Condition?> Condition { get; } = new Parameter<Condition>(
        "condition", $"The same as text: `player.hp lt 10 and 0x02000008 u32 ge 100 or u16 0x02000100 changed`, where `and` binds tighter than `or`. Up to {Client.Commands.Condition.MaxTests} tests.", ConditionKind.Instance).Optional() with
    { IsArgument = true };

    /// <summary>How long to wait.</summary>
    internal static Parameter<long> Frames { get; } = Parameter.Integer("frames", 1, (long)Limits.Frames, "After how many frames to stop waiting.");

    public static HandlerOperation<WaitRequest, WaitAnswer> Until { get; } = new(Resource, "wait.until", HttpMethods.Post, "/v2/wait", Access.Play)
    {
        Summary = "Wait for a condition on memory, or for some frames",
        Description = "The condition is checked when the request arrives and then once a frame. Disconnecting cancels the wait. Without `frames` it waits up to an hour.",
        IsEffect = false,
        Request = Parameters.Of(
            Tests("all", "All of these have to hold."),
            Tests("any", "One of these has to hold, instead of `all`."),
            Condition,
            Frames.Optional() with { Sentence = "After how many frames to stop waiting; never unless given." },
            static Made<WaitRequest> (all, any, condition, frames) => (all, any, condition, frames) switch
            {
                (null, null, null, null) or ({ }, { }, _, _) or ({ }, _, { }, _) or (_, { }, { }, _) => new WrongParameters(ExpectedFormat),
                _ => new WaitRequest(all, any, condition, frames),
            }),
        RequestExample = """{"all":[{"location":"0x02000008","type":"u32","is":"ge","value":100}],"frames":600}""",
        Run = static (invocation, request) =>
            request.Command(out var command) is null ? invocation.SendAsync(command, WaitAnswer.Of, request.MaxWait) : NamedCondition.WaitAsync(invocation, request.Condition!, request),
        ResponseExample = """{"frame":4931,"epoch":"9f3a01c2","met":true,"values":[104]}""",
        TakesFrames = true,
        Outcome = "met",
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Until];

    private static Parameter<IReadOnlyList<MemoryTest>?> Tests(string name, string sentence) => Parameter.List(
        name,
        Parameters.Of(
            Parameter.Location("location", "Where the number is."),
            Parameter.Choice<NumberType>("type", "What it is, little-endian."),
            Parameter.Choice<Comparison>("is", "How it is looked at; mask: all these bits are set, any: one of them is.").Or(Comparison.Eq),
            Parameter.Integer("value", int.MinValue, (long)uint.MaxValue, "The number to compare with; not for `changed`.").Optional(),
            static Made<MemoryTest> (location, type, comparison, value) => value is null == (comparison == Comparison.Changed)
                ? new MemoryTest(type, location, comparison, value ?? 0)
                : new WrongParameters("each test but changed has a value.")),
        1, Limits.Conditions, """[{"location":"0x02000008","type":"u32","is":"ge","value":100}]""", sentence).Optional();
}

/// <summary>The JSON of waits.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(WaitAnswer))]
internal sealed partial class WaitJson : JsonSerializerContext;
