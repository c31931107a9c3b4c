using System.Globalization;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using MgbaBridge.Fleet;
using MgbaBridge.Fleet.Engines;
using MgbaBridge.Fleet.Engines.Kubernetes;
using MgbaBridge.Fleet.Registry;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Tests.Support;
using YamlDotNet.RepresentationModel;

namespace MgbaBridge.Gateway.Tests.Fleet.Engines.Kubernetes;

/// <summary>
/// The files in <c>deploy</c>, against what the program really has. The chart uses only <c>{{ .Values.name }}</c>, with <c>quote</c> or <c>toJson</c>, which
/// this test renders as Helm does; the result with the default values is the committed manifest. MGBA_BRIDGE_UPDATE_MANIFESTS=1 writes it.
/// </summary>
public sealed partial class DeploymentFilesTests
{
    private const string Chart = "deploy/helm/mgba-bridge-fleet";
    private const string Manifest = "deploy/kubernetes/fleet.yaml";
    private const string Head = "# A fleet in Kubernetes, experimental: the chart of deploy/helm with its default values. docs/fleet.md says what to change before.\n";

    [Fact]
    public void Chart_WithItsDefaultValues_IsTheCommittedManifest()
    {
        var values = Json(Documents(File.ReadAllText(Repository.File($"{Chart}/values.yaml"))).Single()).AsObject();
        var used = new HashSet<string>();
        var parts = Directory.EnumerateFiles(Repository.File($"{Chart}/templates"), "*.yaml").Order(StringComparer.Ordinal).Select(file => Expression().Replace(File.ReadAllText(file), match =>
        {
            used.Add(match.Groups[1].Value);
            return Render(values[match.Groups[1].Value], match.Groups[2].Value);
        }));
        var manifest = Head + string.Join("---\n", parts);
        Assert.DoesNotContain("{{", manifest, StringComparison.Ordinal); // what this test cannot render
        Assert.Equal(values.Select(value => value.Key).Order(), used.Order());
        if (Environment.GetEnvironmentVariable("MGBA_BRIDGE_UPDATE_MANIFESTS") is not null)
        {
            File.WriteAllText(Repository.File(Manifest), manifest);
        }

        Assert.Equal(File.ReadAllText(Repository.File(Manifest)), manifest);
    }

    [Fact]
    public void Manifest_OfTheGateways_StartsThemWithSettingsThatExist()
    {
        var container = Object("Deployment")["spec"]!["template"]!["spec"]!["containers"]![0]!;
        var arguments = container["args"]!.AsArray().Select(argument => (string)argument!).ToArray();
        Assert.Equal("serve", arguments[0]);
        Assert.NotNull(ServeArguments.Read(arguments[1..]));
        var settings = Settings(container);
        Assert.Equal("kubernetes", settings["Fleet:Engine"]);
        Assert.Equal("/etc/mgba-bridge-host/job.json", settings["Fleet:KubernetesTemplate"]);
        Assert.Contains("job.json", Object("ConfigMap")["data"]!.AsObject().Select(file => file.Key));
        Assert.True(settings.ContainsKey("Http:Token")); // it listens on all addresses
        var mounts = container["volumeMounts"]!.AsArray().Select(mount => (string)mount!["mountPath"]!).ToArray();
        Assert.All(settings.Where(setting => setting.Value?.StartsWith('/') == true), setting => Assert.Contains(mounts, mount => setting.Value!.StartsWith(mount, StringComparison.Ordinal)));
        var values = settings.Where(setting => setting.Value is not null).Select(setting => $"--Bridge:{setting.Key}={setting.Value}").Append("--Bridge:Fleet:Database=Host=db").ToArray();
        var wrong = Record.Exception(() => Gateway.Hosting.Settings.Read(new Microsoft.Extensions.Configuration.ConfigurationManager(), values)) as SettingsException;
        Assert.All(wrong?.Sentences ?? [], sentence => Assert.Contains("existing f", sentence, StringComparison.Ordinal)); // files and folders of the pod
    }

    [Fact]
    public void Manifest_OfTheHosts_IsATemplateOfTheEngine()
    {
        var job = new SessionCopy("g1", 1);
        var gateway = Settings(Object("Deployment")["spec"]!["template"]!["spec"]!["containers"]![0]!).Where(setting => SettingsSchema.Find(setting.Key) is { IsSecret: false });
        var text = (string)Object("ConfigMap")["data"]!["job.json"]!;
        var template = new HostJobTemplate("job.json", text, new FleetOptions(), NodeProgram.Of(null, gateway));
        var pod = JsonNode.Parse(template.Make(job, default))!["spec"]!["template"]!;
        var container = pod["spec"]!["containers"]![0]!;
        Assert.Equal("node", (string?)container["args"]![0]);
        Assert.NotNull(ServeArguments.Read([.. container["args"]!.AsArray().Skip(1).Select(argument => (string)argument!)]));
        var settings = Settings(container);
        Assert.Equal(("/roms", "100"), (settings["Owned:RomFolders:0"], settings["Fleet:MaxJobs"]));
        var mounts = container["volumeMounts"]!.AsArray().Select(mount => (string)mount!["mountPath"]!).ToArray();
        Assert.All(
            settings.Where(setting => setting.Value?.StartsWith('/') == true && setting.Key != "Fleet:KubernetesTemplate"),
            setting => Assert.Contains(mounts, mount => setting.Value!.StartsWith(mount, StringComparison.Ordinal)));

        var service = Objects().Single(found => (string?)found["kind"] == "Service" && (string?)found["spec"]!["clusterIP"] == "None");
        Assert.Equal((string?)service["metadata"]!["name"], (string?)pod["spec"]!["subdomain"]);
        Assert.All(service["spec"]!["selector"]!.AsObject(), label => Assert.Equal((string?)label.Value, (string?)pod["metadata"]!["labels"]![label.Key]));
    }

    [Fact]
    public void Role_OfTheGateways_IsWhatTheEngineNeeds()
    {
        Assert.Equal("""[{"apiGroups":["batch"],"resources":["jobs"],"verbs":["create","get","list","delete"]},{"apiGroups":[""],"resources":["pods"],"verbs":["list"]}]""", Object("Role")["rules"]!.ToJsonString());
        Assert.Equal((string?)Object("ServiceAccount")["metadata"]!["name"], (string?)Object("Deployment")["spec"]!["template"]!["spec"]!["serviceAccountName"]);
    }

    /// <summary>What selects pods, selects those that there are: a policy or a budget for others would do nothing, in silence.</summary>
    [Fact]
    public void Selectors_OfThePolicies_SelectTheGatewaysOrTheHosts()
    {
        var gateways = Object("Deployment")["spec"]!["template"]!["metadata"]!["labels"]!.AsObject();
        var text = (string)Object("ConfigMap")["data"]!["job.json"]!;
        var host = JsonNode.Parse(new HostJobTemplate("job.json", text, new FleetOptions(), NodeProgram.Of(null, [])).Make(new SessionCopy("g1", 1), default))!["spec"]!["template"]!;
        var hosts = host["metadata"]!["labels"]!.AsObject();
        var policies = Objects().Where(found => (string?)found["kind"] == "NetworkPolicy").ToDictionary(policy => (string)policy["metadata"]!["name"]!);
        Assert.True(Selects(policies["mgba-bridge-hosts"]["spec"]!["podSelector"]!, hosts));
        Assert.True(Selects(policies["mgba-bridge-hosts"]["spec"]!["ingress"]![0]!["from"]![0]!["podSelector"]!, gateways));
        Assert.False(Selects(policies["mgba-bridge-hosts"]["spec"]!["podSelector"]!, gateways));
        Assert.Equal(host["spec"]!["containers"]![0]!["ports"]![0]!["containerPort"]!.ToString(), policies["mgba-bridge-hosts"]["spec"]!["ingress"]![0]!["ports"]![0]!["port"]!.ToString());
        Assert.True(Selects(policies["mgba-bridge-gateway"]["spec"]!["podSelector"]!, gateways));
        Assert.True(Selects(Object("PodDisruptionBudget")["spec"]!["selector"]!, gateways));
        Assert.All(Object("Deployment")["spec"]!["template"]!["spec"]!["topologySpreadConstraints"]!.AsArray(), spread => Assert.True(Selects(spread!["labelSelector"]!, gateways)));
        Assert.All(host["spec"]!["topologySpreadConstraints"]!.AsArray(), spread => Assert.True(Selects(spread!["labelSelector"]!, hosts)));
        var monitor = Json(Documents(File.ReadAllText(Repository.File("deploy/monitoring/service-monitor.yaml"))).Single());
        var service = Objects().Single(found => (string?)found["kind"] == "Service" && found["spec"]!["clusterIP"] is null);
        Assert.True(Selects(monitor["spec"]!["selector"]!, service["metadata"]!["labels"]!.AsObject()));
        Assert.Equal((string?)service["spec"]!["ports"]![0]!["name"], (string?)monitor["spec"]!["endpoints"]![0]!["port"]);

        static bool Selects(JsonNode selector, JsonObject labels) => selector["matchLabels"]!.AsObject().All(label => (string?)label.Value == (string?)labels[label.Key]);
    }

    private static JsonObject Object(string kind) => Objects().Single(found => (string?)found["kind"] == kind);

    private static JsonObject[] Objects() => [.. Documents(File.ReadAllText(Repository.File(Manifest))).Select(document => Json(document).AsObject())];

    /// <summary>The settings in a container's environment; each of them exists, and its value can be read.</summary>
    private static Dictionary<string, string?> Settings(JsonNode container)
    {
        var settings = container["env"]!.AsArray().Where(variable => ((string)variable!["name"]!).StartsWith("Bridge__", StringComparison.Ordinal)).ToDictionary(
            variable => ((string)variable!["name"]!)["Bridge__".Length..].Replace("__", ":", StringComparison.Ordinal), variable => (string?)variable!["value"]);
        Assert.All(settings, setting => Assert.True(SettingsSchema.Find(setting.Key) is { } known && known.Expected(setting.Value ?? "") is null, $"{setting.Key} is no setting, or {setting.Value} is no value of it"));
        return settings;
    }

    private static string Render(JsonNode? value, string function) => function switch
    {
        "quote" => $"\"{value}\"",
        "toJson" => Sorted(value!).ToJsonString(),
        _ => value!.ToString(),
    };

    /// <summary>Helm writes the keys of maps in order.</summary>
    private static JsonNode Sorted(JsonNode value) => value is JsonObject map
        ? new JsonObject(map.OrderBy(entry => entry.Key, StringComparer.Ordinal).Select(entry => KeyValuePair.Create(entry.Key, (JsonNode?)Sorted(entry.Value!))))
        : value.DeepClone();

    private static YamlNode[] Documents(string text)
    {
        var stream = new YamlStream();
        stream.Load(new StringReader(text));
        return [.. stream.Documents.Select(document => document.RootNode)];
    }

    private static JsonNode Json(YamlNode node) => node switch
    {
        YamlMappingNode map => new JsonObject(map.Children.Select(entry => KeyValuePair.Create(((YamlScalarNode)entry.Key).Value!, (JsonNode?)Json(entry.Value)))),
        YamlSequenceNode list => new JsonArray([.. list.Children.Select(Json)]),
        YamlScalarNode { Style: YamlDotNet.Core.ScalarStyle.Plain } plain when int.TryParse(plain.Value, NumberStyles.None, CultureInfo.InvariantCulture, out var number) => number,
        YamlScalarNode { Style: YamlDotNet.Core.ScalarStyle.Plain, Value: "true" or "false" } plain => plain.Value == "true",
        _ => ((YamlScalarNode)node).Value ?? "",
    };

    [GeneratedRegex(@"\{\{ \.Values\.(\w+)(?: \| (quote|toJson))? \}\}")]
    private static partial Regex Expression();
}
