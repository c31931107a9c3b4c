namespace MgbaBridge.Engines.Scenarios;

/// <summary>The scenarios that the gateway keeps, by name, until it ends.</summary>
public sealed class ScenarioStore
{
    private readonly Dictionary<string, Scenario> _scenarios = new(StringComparer.Ordinal);
    private readonly Lock _gate = new();

    /// <summary>All of them, by name.</summary>
    public IReadOnlyList<(string Name, Scenario Scenario)> All
    {
        get
        {
            lock (_gate)
            {
                return [.. _scenarios.Select(one => (one.Key, one.Value)).OrderBy(one => one.Key, StringComparer.Ordinal)];
            }
        }
    }

    /// <summary>The one of this name, or null.</summary>
    public Scenario? Find(string name)
    {
        lock (_gate)
        {
            return _scenarios.GetValueOrDefault(name);
        }
    }

    /// <summary>Keeps one, instead of an earlier one of this name. Returns why there is no room, or null.</summary>
    public string? Keep(string name, Scenario scenario)
    {
        lock (_gate)
        {
            if (_scenarios.Count >= ScenarioLimits.Kept && !_scenarios.ContainsKey(name))
            {
                return $"There are {ScenarioLimits.Kept} scenarios, which is the limit.";
            }

            _scenarios[name] = scenario;
            return null;
        }
    }

    /// <summary>Deletes the one of this name, and returns it.</summary>
    public Scenario? Delete(string name)
    {
        lock (_gate)
        {
            _scenarios.Remove(name, out var scenario);
            return scenario;
        }
    }
}
