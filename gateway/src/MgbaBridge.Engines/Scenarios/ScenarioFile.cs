using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Scenarios;

/// <summary>Reads the documents of an integration as stable-retro has them, and checks all of them, so that what is loaded can be evaluated.</summary>
public static class ScenarioFile
{
    private const string DataFile = "data.json";
    private const string ScenarioDocument = "scenario.json";
    private const string AnyOf = "any";
    private const string AllOf = "all";
    private const string Delta = "delta";
    private const string Absolute = "absolute";

    // what is made of a variable and the reference
    private static readonly Dictionary<string, Func<Expression, long, Expression>> Operations = new(StringComparer.Ordinal)
    {
        ["zero"] = static (number, _) => number.With(Operators.Equal, 0),
        ["nonzero"] = static (number, _) => number.With(Operators.NotEqual, 0),
        ["positive"] = static (number, _) => number.With(Operators.Greater, 0),
        ["negative"] = static (number, _) => number.With(Operators.Less, 0),
        ["sign"] = static (number, _) => new Signed(true, number),
        ["equal"] = static (number, reference) => number.With(Operators.Equal, reference),
        ["negative-equal"] = static (number, reference) => number.With(Operators.Equal, -reference),
        ["not-equal"] = static (number, reference) => number.With(Operators.NotEqual, reference),
        ["less-than"] = static (number, reference) => number.With(Operators.Less, reference),
        ["greater-than"] = static (number, reference) => number.With(Operators.Greater, reference),
        ["less-or-equal"] = static (number, reference) => number.With(Operators.LessOrEqual, reference),
        ["greater-or-equal"] = static (number, reference) => number.With(Operators.GreaterOrEqual, reference),
    };

    /// <summary>Reads them.</summary>
    /// <param name="data">The text of <c>data.json</c>.</param>
    /// <param name="scenario">The text of <c>scenario.json</c>.</param>
    /// <exception cref="ScenarioFormatException">One is wrong.</exception>
    public static Scenario Read(ReadOnlyMemory<byte> data, ReadOnlyMemory<byte> scenario)
    {
        var variables = VariablesOf(DocumentValue.Read(DataFile, data));
        var document = DocumentValue.Read(ScenarioDocument, scenario);
        var parts = document.Members("reward", "rewards", "done", "actions", "crop", "crops", "scripts"); // scripts that nothing uses do no harm
        var terms = new Terms([.. variables.Select(variable => variable.Name)]);
        return new Scenario(
            variables,
            First(parts, "reward", "rewards") is { } reward ? terms.RewardOf(reward) : null,
            parts.TryGetValue("done", out var done) ? terms.DoneOf(done, 1) : null,
            parts.TryGetValue("actions", out var actions) ? ActionsOf(actions) : [],
            First(parts, "crop", "crops") is { } crop ? CropOf(crop) : null);
    }

    private static List<ScenarioVariable> VariablesOf(DocumentValue document)
    {
        var variables = new List<ScenarioVariable>();
        if (!document.Members("info").TryGetValue("info", out var info))
        {
            throw document.Wrong("It lacks info, the object with the variables.");
        }

        foreach (var (name, value) in info.Members(ScenarioLimits.Variables))
        {
            var parts = value.Members("address", "type", "mask");
            if (!parts.TryGetValue("address", out var address) || !parts.TryGetValue("type", out var type))
            {
                throw value.Wrong("A variable has an address and a type.");
            }

            if (!VariableType.TryParse(type.Text(), out var read))
            {
                throw type.Wrong(VariableType.ExpectedFormat);
            }

            variables.Add(new ScenarioVariable(name, Location.Bus(address.Integer(0, uint.MaxValue)), read, parts.TryGetValue("mask", out var mask) ? mask.Bits() : -1));
        }

        return variables;
    }

    // of several players, the one that the emulator has
    private static DocumentValue? First(IReadOnlyDictionary<string, DocumentValue> parts, string one, string several)
    {
        if (parts.TryGetValue(one, out var value))
        {
            return value;
        }

        return parts.TryGetValue(several, out var list) && list.Items(ScenarioLimits.Groups) is [var first, ..] ? first : null;
    }

    private static PictureCrop CropOf(DocumentValue value)
    {
        var parts = value.Items(4);
        return parts.Count == 4
            ? new PictureCrop(Side(parts[0]), Side(parts[1]), Side(parts[2]), Side(parts[3]))
            : throw value.Wrong("A crop is [x, y, width, height].");

        static int Side(DocumentValue part) => (int)part.Integer(0, ushort.MaxValue);
    }

    private static IReadOnlyList<IReadOnlyList<KeySet>> ActionsOf(DocumentValue value) =>
        [.. value.Items(ScenarioLimits.Groups).Select(group => group.Items(ScenarioLimits.Combinations).Select(KeysOf).Distinct().ToArray())];

    private static KeySet KeysOf(DocumentValue value)
    {
        var keys = default(KeySet);
        foreach (var button in value.Items(KeySet.Names.Length))
        {
            KeySet.TryAdd(ref keys, button.Word([.. KeySet.Names.Select(name => name.ToUpperInvariant())]));
        }

        return keys;
    }

    /// <summary>Reads what is made of variables, and counts it.</summary>
    private sealed class Terms(IReadOnlyList<string> variables)
    {
        private const string Script = "script";
        private readonly Dictionary<string, int> _indexes = variables.Select((name, index) => (name, index)).ToDictionary(one => one.name, one => one.index, StringComparer.Ordinal);
        private int _count;

        public Expression RewardOf(DocumentValue value)
        {
            var parts = value.Members("variables", "time", Script);
            RefuseScript(parts, "reward");
            var time = 0.0;
            if (parts.TryGetValue("time", out var each))
            {
                var factors = each.Members("reward", "penalty");
                time = Expression.Nearest(FactorOf(factors, "reward") - FactorOf(factors, "penalty"));
            }

            return Expression.Sum([new Constant(time), .. EachOf(parts, "variables").Select(variable =>
            {
                var members = variable.Value.Members("measurement", "op", "reference", "reward", "penalty");
                var (gain, loss) = (FactorOf(members, "reward"), FactorOf(members, "penalty"));
                var number = MeasureOf(variable.Name, variable.Value, members, Delta);
                var zero = new Constant(0);
                return new Computed(
                    Operators.Plus,
                    new Computed(Operators.Times, new Computed(Operators.Most, number, zero), new Constant(gain)),
                    new Computed(Operators.Times, new Computed(Operators.Least, number, zero), new Constant(loss)));
            })]);
        }

        public Expression DoneOf(DocumentValue value, int level)
        {
            var parts = level == 1 ? value.Members("condition", "variables", "nodes", Script) : value.Members("condition", "variables", "nodes");
            RefuseScript(parts, "end");
            if (level > ScenarioLimits.Nodes)
            {
                throw value.Wrong($"Nodes are at most {ScenarioLimits.Nodes} levels deep.");
            }

            var isAll = parts.TryGetValue("condition", out var condition) && condition.Word([AnyOf, AllOf]) == AllOf;
            List<Expression> conditions =
            [
                .. EachOf(parts, "variables").Select(variable => MeasureOf(variable.Name, variable.Value, variable.Value.Members("measurement", "op", "reference"), Absolute)),
                .. EachOf(parts, "nodes").Select(node => DoneOf(node.Value, level + 1)),
            ];
            return isAll ? Expression.All(conditions) : Expression.Any(conditions);
        }

        private static void RefuseScript(IReadOnlyDictionary<string, DocumentValue> parts, string what)
        {
            if (parts.TryGetValue(Script, out var script))
            {
                throw script.Wrong($"The gateway runs no Lua of scenarios. Write the {what} with variables, or compute it in your program from their values.");
            }
        }

        private static double FactorOf(IReadOnlyDictionary<string, DocumentValue> members, string name) => members.TryGetValue(name, out var factor) ? factor.Number() : 0;

        private List<(string Name, DocumentValue Value)> EachOf(IReadOnlyDictionary<string, DocumentValue> parts, string name)
        {
            if (!parts.TryGetValue(name, out var value))
            {
                return [];
            }

            var members = value.Members(ScenarioLimits.Terms);
            _count += members.Count;
            return _count <= ScenarioLimits.Terms ? [.. members] : throw value.Wrong($"The reward and the end have more than {ScenarioLimits.Terms} variables and nodes together.");
        }

        private Expression MeasureOf(string name, DocumentValue value, IReadOnlyDictionary<string, DocumentValue> members, string usual)
        {
            if (!_indexes.TryGetValue(name, out var index))
            {
                throw value.Wrong($"{DataFile} has no variable of this name. {DocumentValue.Meant(name, variables)}");
            }

            var measurement = members.TryGetValue("measurement", out var given) ? given.Word([Delta, Absolute]) : usual;
            var reference = members.TryGetValue("reference", out var compared) ? compared.Integer() : 0;
            var measure = new Measure(index, measurement == Delta);
            return members.TryGetValue("op", out var op) ? Operations[op.Word(Operations.Keys)](measure, reference) : measure;
        }
    }
}
