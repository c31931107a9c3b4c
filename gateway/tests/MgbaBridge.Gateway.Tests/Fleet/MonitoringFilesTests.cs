using System.Diagnostics.Metrics;
using System.Text.Json;
using System.Text.RegularExpressions;
using MgbaBridge.Client.Diagnostics;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Operations.Agents;
using MgbaBridge.Gateway.Tests.Support;
using YamlDotNet.RepresentationModel;

namespace MgbaBridge.Gateway.Tests.Fleet;

/// <summary>The rules for Prometheus and the dashboard for Grafana, against the metrics of the program.</summary>
public sealed partial class MonitoringFilesTests
{
    [Fact]
    public async Task Metrics_OfRulesAndDashboard_AreThoseOfTheProgram()
    {
        var names = new HashSet<string>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, _) =>
            {
                var kind = instrument.GetType().GetGenericTypeDefinition();
                var name = PrometheusText.NameOf(instrument.Name, instrument.Unit, kind == typeof(Counter<>) || kind == typeof(ObservableCounter<>));
                lock (names)
                {
                    names.UnionWith(kind == typeof(Histogram<>) ? [$"{name}_bucket", $"{name}_count", $"{name}_sum"] : [name]);
                }
            },
        };
        listener.Start();
        await using var gateway = GatewayHost.StartWithoutPort(("Fleet:Database", "Host=/nonexistent"));
        await gateway.Client.GetStringAsync("/metrics", TestContext.Current.CancellationToken);
        ClientMetrics.OperationEnded("1", "core.info", "ok", TimeSpan.Zero);
        ToolTelemetry.End(null, "observe", AgentOutcome.Done, TimeSpan.Zero);

        var rules = new YamlStream();
        rules.Load(new StringReader(await File.ReadAllTextAsync(Repository.File("deploy/monitoring/prometheus-rules.yaml"), TestContext.Current.CancellationToken)));
        using var dashboard = JsonDocument.Parse(await File.ReadAllTextAsync(Repository.File("deploy/monitoring/grafana-dashboard.json"), TestContext.Current.CancellationToken));
        string[] expressions =
        [
            .. rules.Documents.Single().AllNodes.OfType<YamlMappingNode>().SelectMany(map => map.Children).Where(entry => entry.Key.ToString() == "expr").Select(entry => entry.Value.ToString()),
            .. dashboard.RootElement.GetProperty("panels").EnumerateArray().SelectMany(panel => panel.GetProperty("targets").EnumerateArray()).Select(target => target.GetProperty("expr").GetString()!),
        ];
        Assert.True(expressions.Length >= 20);
        foreach (var expression in expressions)
        {
            var metrics = Metric().Matches(Labels().Replace(expression, "")).Select(match => match.Value).ToArray();
            Assert.NotEmpty(metrics);
            lock (names)
            {
                Assert.All(metrics, metric => Assert.Contains(metric, names));
            }
        }
    }

    [GeneratedRegex(@"\{[^}]*\}|by \([^)]*\)")]
    private static partial Regex Labels();

    [GeneratedRegex(@"\b(?:mgba|http|dotnet|kestrel)_\w+")]
    private static partial Regex Metric();
}
