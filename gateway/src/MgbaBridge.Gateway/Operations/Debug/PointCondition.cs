using System.Text;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Operations.Debug;

/// <summary>The condition of a point, whose places may be registers: <c>r0 == 1 and player.hp &lt; 5</c>.</summary>
internal static class PointCondition
{
    /// <summary>Names of registers, which count before names of the game.</summary>
    private static readonly HashSet<string> Registers = new(
        [.. Enumerable.Range(0, 16).Select(static number => $"r{number}"), "sp", "lr", "pc", "ip", "cpsr", "a", "b", "c", "d", "e", "f", "h", "l", "af", "bc", "de", "hl"],
        StringComparer.OrdinalIgnoreCase);

    /// <summary>The condition as the script takes it, or what is wrong.</summary>
    public static (string? Text, string? Wrong) Write(Condition condition, GameSymbols names)
    {
        string? wrong = null;
        var text = condition.Write(
            place =>
            {
                if (RegisterOf(place) is { } register)
                {
                    return register;
                }

                var isWrong = NumberPlaces.FindFixed(names, place, out var number, out var at) is { } problem ? problem
                    : number.Endian == Endian.Big ? $"{place} is big-endian, which conditions of points cannot compare."
                    : null;
                wrong ??= isWrong;
                return isWrong is null ? $"{Encoding.ASCII.GetString(number.Type.Word())} {at}" : null;
            },
            name =>
            {
                if (names.ConstantOf(name)?.Type is ConstantType constant)
                {
                    return constant.Value;
                }

                wrong ??= $"{name} is not a number and no constant of the game: a condition of a point compares a place with a number.";
                return null;
            });
        return (text, text is null ? wrong : null);
    }

    private static string? RegisterOf(string place) => place.Split(' ') switch
    {
        [var name] when Registers.Contains(name) => $"u32 register:{name.ToLowerInvariant()}",
        [var name, var type] when Registers.Contains(name) && NumberTypes.TryParse(type, out var number) => $"{Encoding.ASCII.GetString(number.Word())} register:{name.ToLowerInvariant()}",
        _ => null,
    };
}
