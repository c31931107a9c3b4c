using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations.Events;

/// <summary>Topics of events.</summary>
internal sealed class EventTopicsKind : ParameterKind<IReadOnlyList<EventTopic>>
{
    /// <summary>The most topics.</summary>
    public const int Max = 64;

    private static readonly TextsKind Texts = new(1, Max, TextKind.DefaultLength);

    /// <summary>The parameter of everything that sends events.</summary>
    public static Parameter<IReadOnlyList<EventTopic>> Topics { get; } =
        new("topics", $"The topics, 1 to {Max}; in a query separated by commas.", new EventTopicsKind()) { Example = "game,lease,frame/60,memory:0x02000000/4" };

    public override ParameterShape Shape { get; } = Texts.Shape with { Expected = $"1 to {Max} topics. {EventTopic.ExpectedFormat.TrimEnd('.')}" };

    internal override bool TryParse(string text, out IReadOnlyList<EventTopic> value) => Read(text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries), out value) is null;

    internal override bool TryRead(ref Utf8JsonReader reader, out IReadOnlyList<EventTopic> value)
    {
        value = [];
        return Texts.TryRead(ref reader, out var texts)
            && (Read(texts, out value) is not { } wrong ? true : throw new ParameterException($"{Parameter.Quote(wrong)} is not a topic. {EventTopic.ExpectedFormat}"));
    }

    // the first text that is no topic, or null
    private static string? Read(IReadOnlyList<string> texts, out IReadOnlyList<EventTopic> topics)
    {
        var read = new List<EventTopic>(texts.Count);
        topics = read;
        foreach (var text in texts)
        {
            if (!EventTopic.TryParse(text, out var topic))
            {
                return text;
            }

            read.Add(topic);
        }

        return read.Count is >= 1 and <= Max ? null : "";
    }
}
