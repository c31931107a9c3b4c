using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Engines.Yaml;
using YamlDotNet.RepresentationModel;

namespace MgbaBridge.Engines.Scenarios;

/// <summary>Reads a scenario that is written as YAML, with the names of a game.</summary>
public static class ScenarioYaml
{
    private const string Variables = "variables";
    private const string Reward = "reward";
    private const string Done = "done";
    private const string Actions = "actions";
    private const string Crop = "crop";

    private static readonly string[] Fields = [Variables, Reward, Done, Actions, Crop];

    /// <summary>Reads it.</summary>
    /// <param name="text">The text.</param>
    /// <param name="names">The names of the game.</param>
    /// <exception cref="ScenarioFormatException">It is wrong.</exception>
    public static Scenario Read(string text, GameSymbols names)
    {
        try
        {
            using var reader = new StringReader(text);
            var fields = new YamlFields(YamlText.Read(reader), Fields);
            var variables = VariablesOf(fields, names);
            string[] known = [.. variables.Select(static variable => variable.Name)];
            return new Scenario(variables, ExpressionOf(fields, Reward, known), ExpressionOf(fields, Done, known), ActionsOf(fields), CropOf(fields));
        }
        catch (YamlFormatException exception)
        {
            throw new ScenarioFormatException($"yaml: {new NameFormatException(exception.Line, exception.Column, exception.Message).Message}", exception);
        }
    }

    private static List<ScenarioVariable> VariablesOf(YamlFields fields, GameSymbols names)
    {
        var node = fields.Find(Variables) ?? throw fields.Wrong("variables is missing: a mapping of names to places.");
        var map = node as YamlMappingNode ?? throw YamlFields.Wrong(node, "variables is a mapping of names to places, such as score: u32 0x02000094.");
        if (map.Children.Count > ScenarioLimits.Variables)
        {
            throw YamlFields.Wrong(node, $"There are {map.Children.Count} variables; the limit is {ScenarioLimits.Variables}.");
        }

        var variables = new List<ScenarioVariable>();
        foreach (var (key, place) in map.Children)
        {
            var name = (key as YamlScalarNode)?.Value ?? "";
            if (!ExpressionText.IsName(name) || ExpressionText.Words.Contains(name))
            {
                throw YamlFields.Wrong(key, $"\"{name}\" cannot be the name of a variable: letters, digits, _ and . in up to {ScenarioLimits.Name} characters, the first no digit, and none of the words {string.Join(", ", ExpressionText.Words)}.");
            }

            var (location, type) = PlaceOf(names, place);
            variables.Add(new ScenarioVariable(name, location, type, -1));
        }

        return variables;
    }

    private static (Location At, VariableType Type) PlaceOf(GameSymbols names, YamlNode node)
    {
        var text = (node as YamlScalarNode)?.Value ?? "";
        if (NumberPlaces.FindFixed(names, text, out var number, out var location) is { } wrong)
        {
            throw YamlFields.Wrong(node, wrong);
        }

        return (location, VariableType.Of(number.Type, number.Endian));
    }

    private static Expression? ExpressionOf(YamlFields fields, string field, string[] variables)
    {
        if (fields.Text(field) is not { } text)
        {
            return null;
        }

        try
        {
            return new ExpressionText(text, variables).Read();
        }
        catch (ExpressionFormatException exception)
        {
            throw fields.Wrong(field, exception.Character, $"{field}: {exception.Message}");
        }
    }

    private static IReadOnlyList<IReadOnlyList<KeySet>> ActionsOf(YamlFields fields)
    {
        var groups = fields.List(Actions);
        if (groups.Count > ScenarioLimits.Groups)
        {
            throw fields.Wrong(Actions, $"There are {groups.Count} groups; the limit is {ScenarioLimits.Groups}.");
        }

        return [.. groups.Select(group => CombinationsOf(group))];
    }

    private static KeySet[] CombinationsOf(YamlNode node)
    {
        var group = node as YamlSequenceNode ?? throw YamlFields.Wrong(node, "A group is a list of keys, such as [\"\", A, A+Right].");
        return group.Children.Count <= ScenarioLimits.Combinations
            ? [.. group.Children.Select(KeysOf).Distinct()]
            : throw YamlFields.Wrong(node, $"A group has {group.Children.Count} combinations; the limit is {ScenarioLimits.Combinations}.");
    }

    private static KeySet KeysOf(YamlNode node) => node is YamlScalarNode { Value: { } text } && KeySet.TryParse(text, out var keys)
        ? keys
        : throw YamlFields.Wrong(node, $"\"{(node as YamlScalarNode)?.Value}\" are no keys. {KeySet.ExpectedFormat}");

    private static PictureCrop? CropOf(YamlFields fields)
    {
        if (!fields.Has(Crop))
        {
            return null;
        }

        int[] sides = [.. fields.List(Crop).Select(static side => ushort.TryParse((side as YamlScalarNode)?.Value, out var number) ? number : -1)];
        return sides is [>= 0 and var x, >= 0 and var y, >= 0 and var width, >= 0 and var height]
            ? new PictureCrop(x, y, width, height)
            : throw fields.Wrong(Crop, "A crop is [x, y, width, height] in pixels; width or height 0 is the rest.");
    }
}
