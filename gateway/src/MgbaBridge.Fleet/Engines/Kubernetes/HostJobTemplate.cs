using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Engines.Kubernetes;

/// <summary>
/// Makes the Job of a session from the manifest of <c>Fleet:KubernetesTemplate</c>, in JSON: image, volumes and limits come from there; name, labels,
/// settings and what the fleet relies on are set here. Variables that the manifest sets are kept.
/// </summary>
internal sealed class HostJobTemplate
{
    private const string ManagedByLabel = "app.kubernetes.io/managed-by";
    private const string ManagedBy = "mgba-bridge";
    private const string FleetLabel = "mgba-bridge/fleet";
    private const string SessionLabel = "mgba-bridge/session";
    private const string GenerationLabel = "mgba-bridge/generation";
    private const string DatabaseVariable = "Bridge__Fleet__Database"; // a Job can be read by many, so it is not copied from this program's settings
    private const int KeepEndedSeconds = 300;
    private const int ExitSeconds = 15; // beyond Fleet:HostDrainTimeout, for the emulators to end

    private readonly string _file;
    private readonly string _text;
    private readonly FleetOptions _options;
    private readonly NodeProgram _program;

    /// <summary>Reads it.</summary>
    /// <exception cref="EngineException">It is not the manifest of a Job with one container for a host.</exception>
    public HostJobTemplate(string file, string text, FleetOptions options, NodeProgram program)
    {
        (_file, _text, _options, _program) = (file, text, options, program);
        Make(new SessionCopy("session", 1), default);
    }

    /// <summary>The name of a Job: at most 63 characters, because the names of its pods are labels, and without those of an id that are not permitted there.</summary>
    public static string NameOf(string fleet, SessionCopy job) => $"mgba-bridge-{Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes($"{fleet}/{job}")))[..32]}";

    /// <summary>Selects the Jobs of a fleet.</summary>
    public static string Selector(string fleet) => $"{ManagedByLabel}={ManagedBy},{FleetLabel}={fleet}";

    /// <summary>What a Job is for, or null for one that is not of this fleet.</summary>
    public static SessionCopy? JobOf(ObjectMetadata metadata, string fleet) =>
        metadata.Labels.GetValueOrDefault(FleetLabel) == fleet ? SessionCopy.Parse($"{metadata.Labels.GetValueOrDefault(SessionLabel)}.{metadata.Labels.GetValueOrDefault(GenerationLabel)}") : null;

    /// <summary>The manifest for one session.</summary>
    public byte[] Make(SessionCopy job, JobResources resources)
    {
        try
        {
            var manifest = JsonNode.Parse(_text) as JsonObject ?? throw Wrong("is not an object");
            if (Text(manifest, "kind") != "Job" || Text(manifest, "apiVersion") != "batch/v1")
            {
                throw Wrong("is not a Job of batch/v1");
            }

            var metadata = Object(manifest, "metadata");
            metadata["name"] = NameOf(_options.Name, job);
            metadata.Remove("generateName");
            metadata.Remove("namespace");
            Label(metadata, job);

            var spec = Object(manifest, "spec");
            spec["backoffLimit"] = 0; // the fleet requests new jobs itself
            spec["completions"] = 1;
            spec["parallelism"] = 1;
            spec["ttlSecondsAfterFinished"] ??= KeepEndedSeconds;

            var template = Object(spec, "template");
            Label(Object(template, "metadata"), job);
            var pod = Object(template, "spec");
            pod["restartPolicy"] = "Never";
            pod["hostname"] = NameOf(_options.Name, job); // with `subdomain` it has a name in DNS
            pod["terminationGracePeriodSeconds"] ??= (int)Math.Ceiling(_options.HostDrainTimeout.TotalSeconds) + ExitSeconds;
            Complete(Container(pod), job, resources);
            return Encoding.UTF8.GetBytes(manifest.ToJsonString());
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException or ArgumentException)
        {
            throw Wrong($"cannot be used: {exception.Message}");
        }
    }

    private static JsonObject Object(JsonObject parent, string name)
    {
        if (parent[name] is not JsonObject child)
        {
            parent[name] = child = [];
        }

        return child;
    }

    private static string? Text(JsonObject parent, string name) => parent[name] is JsonValue value && value.TryGetValue<string>(out var text) ? text : null;

    private void Label(JsonObject metadata, SessionCopy job)
    {
        var labels = Object(metadata, "labels");
        labels[ManagedByLabel] = ManagedBy;
        labels[FleetLabel] = _options.Name;
        labels[SessionLabel] = job.Session;
        labels[GenerationLabel] = job.Generation.ToString(CultureInfo.InvariantCulture);
    }

    /// <summary>The container <c>node</c>, or the only one.</summary>
    private JsonObject Container(JsonObject pod)
    {
        var containers = (pod["containers"] as JsonArray)?.OfType<JsonObject>().ToArray() ?? [];
        return containers.FirstOrDefault(container => Text(container, "name") == "node")
            ?? (containers.Length == 1 ? containers[0] : throw Wrong("has no container with the name node"));
    }

    private void Complete(JsonObject container, SessionCopy job, JobResources resources)
    {
        Set(container, "cpu", resources.Cpus, "");
        Set(container, "memory", resources.Memory, "Mi");
        if (container["env"] is not JsonArray environment)
        {
            container["env"] = environment = [];
        }

        var present = environment.OfType<JsonObject>().Select(variable => Text(variable, "name")).ToHashSet(StringComparer.OrdinalIgnoreCase);
        foreach (var (name, value) in _program.Environment)
        {
            if (present.Add(name))
            {
                environment.Add((JsonNode)Variable(name, value ?? ""));
            }
        }

        if (!present.Contains(DatabaseVariable) && container["envFrom"] is null)
        {
            throw Wrong($"gives its hosts no database: set {DatabaseVariable} in the container's env, from a Secret");
        }

        if (!present.Add(IFleetEngine.JobVariable))
        {
            throw Wrong($"sets {IFleetEngine.JobVariable}, which the engine sets");
        }

        environment.Add((JsonNode)Variable(IFleetEngine.JobVariable, job.ToString()));
    }

    /// <summary>As much as a job gets, and no more, which is what Slurm does.</summary>
    private static void Set(JsonObject container, string resource, double? amount, string unit)
    {
        if (amount is not null)
        {
            var quantity = string.Create(CultureInfo.InvariantCulture, $"{amount}{unit}");
            Object(Object(container, "resources"), "requests")[resource] = quantity;
            Object(Object(container, "resources"), "limits")[resource] = quantity;
        }
    }

    private static JsonObject Variable(string name, string value) => new() { ["name"] = name, ["value"] = value };

    private EngineException Wrong(string what) => new($"Bridge:Fleet:KubernetesTemplate {_file} {what}.");
}
