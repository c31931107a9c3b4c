using MgbaBridge.Gateway.Operations.Events;

namespace MgbaBridge.Gateway.Tests.Operations.Events;

public sealed class EventTopicsKindTests
{
    [Fact]
    public void Topics_SeparatedByCommas_AreRead()
    {
        Assert.Null(EventTopicsKind.Topics.Parse("game, frame/60,memory:0x02000000/4", out var topics));
        Assert.Equal(["game", "frame/60", "memory:0x02000000/4/1"], topics.Select(topic => topic.Name));
    }

    [Theory]
    [InlineData("")]
    [InlineData("game,gmae")]
    [InlineData("memory:nowhere:x/4")]
    public void Topics_ThatAreNone_AreRefusedWithTheForm(string text) =>
        Assert.Contains("topics is", EventTopicsKind.Topics.Parse(text, out _), StringComparison.Ordinal);

    [Fact]
    public void Topics_MoreThanAllowed_AreRefused() =>
        Assert.NotNull(EventTopicsKind.Topics.Parse(string.Join(',', Enumerable.Repeat("game", EventTopicsKind.Max + 1)), out _));

    [Fact]
    public void Schema_SaysHowManyTopics() => Assert.Equal((1, EventTopicsKind.Max), (EventTopicsKind.Topics.Shape.MinItems, EventTopicsKind.Topics.Shape.MaxItems));
}
