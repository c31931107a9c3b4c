using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Tests.Commands;

public sealed class ConditionTests
{
    [Theory]
    [InlineData("u32 0x02000008 ge 100", "0x02000008 u32")]
    [InlineData("0x02000008 u32 >= 0x64", "0x02000008 u32")]
    [InlineData("u16be wram:0xC MASK 1 or player.hp < -3 AND counter changed", "wram:0xC u16be", "player.hp", "counter")]
    [InlineData("u8 counter+0x4 = 1 and edges[3] u8 any 3", "counter+0x4 u8", "edges[3] u8")]
    [InlineData("u8 wItem == NUM_ITEMS or NUM_ITEMS < 10 and hp <= maxHp", "wItem u8", "NUM_ITEMS", "NUM_ITEMS", "hp", "maxHp")]
    public void Places_OfACondition_HaveTheirTypeBehindThem(string text, params string[] places)
    {
        Assert.True(Condition.TryParse(text, out var condition, out _));
        Assert.Equal(places, condition.Places);
    }

    [Theory]
    [InlineData("", "\"\" is not a test.")]
    [InlineData("hp 3", "\"hp 3\" is not a test.")]
    [InlineData("hp < 3 and", "\"\" is not a test.")]
    [InlineData("hp < 3 4", "\"hp < 3 4\" is not a test.")]
    [InlineData("hp < 0x", "\"hp < 0x\" is not a test.")]
    [InlineData("hp < -3x", "\"hp < -3x\" is not a test.")]
    [InlineData("hp < ge", "\"hp < ge\" is not a test.")]
    [InlineData("hp < maxHp u8", "\"hp < maxHp u8\" is not a test.")]
    [InlineData("hp changed 3", "\"hp changed 3\" is not a test.")]
    [InlineData("hp changed maxHp", "\"hp changed maxHp\" is not a test.")]
    [InlineData("< 3", "\"< 3\" is not a test.")]
    public void Text_ThatIsNoCondition_SaysWhatIsNoTest(string text, string wrong)
    {
        Assert.False(Condition.TryParse(text, out _, out var said));
        Assert.StartsWith(wrong, said, StringComparison.Ordinal);
    }

    [Fact]
    public void Text_BeyondTheLimits_IsRefused()
    {
        Assert.True(Condition.TryParse(string.Join(" or ", Enumerable.Repeat("hp < 3", 32)), out _, out _));
        Assert.False(Condition.TryParse(string.Join(" or ", Enumerable.Repeat("hp < 3", 33)), out _, out var wrong));
        Assert.Equal("The condition has more than 32 tests.", wrong);
        Assert.False(Condition.TryParse($"hp < {new string(' ', Condition.MaxText)} 3", out _, out wrong));
        Assert.Contains("at most 2000", wrong, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("a == 1 and b > 5 or c changed", true, 1, 6, 0)]
    [InlineData("a == 1 and b > 5 or c changed", false, 1, 5, 0)]
    [InlineData("a == 1 and b > 5 or c changed", true, 0, 0, 1)]
    [InlineData("a mask 6 and b any 6 or c != 0", false, 4, 4, 0)]
    [InlineData("a & 6 and b any 6 or c != 0", true, 7, 4, 0)]
    public void And_BindsTighterThanOr(string text, bool holds, long a, long b, long c)
    {
        Assert.True(Condition.TryParse(text, out var condition, out _));
        Assert.Equal(holds, condition.Holds([a, b, c], [0, 0, 0]));
    }

    [Theory]
    [InlineData("a == N or b > 5", true, 3, 3, 0)]
    [InlineData("a == N or b > 5", false, 3, 4, 5)]
    [InlineData("a == N or b > 5", true, 3, 4, 6)]
    [InlineData("a changed or N < b", true, 0, 1, 2)]
    [InlineData("a changed or N < b", false, 0, 2, 2)]
    public void Names_OnEitherSide_AreCompared(string text, bool holds, long a, long b, long c)
    {
        Assert.True(Condition.TryParse(text, out var condition, out _));
        Assert.Equal(holds, condition.Holds([a, b, c], [0, 0, 0]));
    }

    [Theory]
    [InlineData("A 4, wait 10,  up+b 2", null, "A 4, wait 10, B+Up 2")]
    [InlineData("A,WAIT,b 2,", 7L, "A 7, wait 7, B 2")]
    [InlineData("tilt 10/-5.5 4, a  light 0.8 gyro -30 2", null, "tilt 10/-5.5 4, A light 0.8 gyro -30 2")]
    [InlineData("gyro 30, wait light 1, light 0 5", 7L, "gyro 30 7, light 1 7, light 0 5")]
    public void KeySequence_AsText_IsRead(string text, long? frames, string expected)
    {
        Assert.Null(KeySequence.Parse(text, frames, out var sequence));
        Assert.Equal(expected, sequence.ToString());
    }

    [Theory]
    [InlineData("A 4, wait", "wait")]
    [InlineData("A 4, B 0", "B 0")]
    [InlineData("A 4 4", "A 4 4")]
    [InlineData("Q 4", "Q 4")]
    [InlineData("A -1", "A -1")]
    [InlineData("light 0.5", "light 0.5")]
    [InlineData("light 4", "light 4")]
    [InlineData("light 1.1 4", "light 1.1 4")]
    [InlineData("light NaN 4", "light NaN 4")]
    [InlineData("light 1 light 1 4", "light 1 light 1 4")]
    [InlineData("tilt 10 4", "tilt 10 4")]
    [InlineData("tilt 91/0 4", "tilt 91/0 4")]
    [InlineData("tilt 1/2/3 4", "tilt 1/2/3 4")]
    [InlineData("gyro 1e9 4", "gyro 1e9 4")]
    [InlineData("tilt 1/2 A 4", "tilt 1/2 A 4")]
    public void KeySequence_WithAWrongStep_NamesIt(string text, string wrong) => Assert.Equal(wrong, KeySequence.Parse(text, null, out _));

    [Fact]
    public void KeySequence_WithSensors_HasThemInTheUnitsOfTheScript()
    {
        Assert.Null(KeySequence.Parse("A tilt 10/-5.5 light 0.8 4, gyro 30 1, wait 2", null, out var sequence));
        Assert.Equal("A light=51 x=10000 y=-5500 4, gyro=30000 1, wait 2", sequence.ToWireText());
    }
}
