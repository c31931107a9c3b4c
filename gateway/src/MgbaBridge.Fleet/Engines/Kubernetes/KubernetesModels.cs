using System.Text.Json.Serialization;

namespace MgbaBridge.Fleet.Engines.Kubernetes;

/// <summary>A page of jobs: the parts of <c>batch/v1</c>, <c>JobList</c>, that are read.</summary>
internal sealed record JobList
{
    public ListMetadata Metadata { get; init; } = new();

    [JsonRequired]
    public List<JobObject> Items { get; init; } = [];
}

/// <summary>Where the next page begins.</summary>
internal sealed record ListMetadata
{
    public string? Continue { get; init; }
}

/// <summary>A job.</summary>
internal sealed record JobObject
{
    [JsonRequired]
    public ObjectMetadata Metadata { get; init; } = new();

    public JobStatus Status { get; init; } = new();
}

/// <summary>What names an object. A name may be used again, the <c>uid</c> never is.</summary>
internal sealed record ObjectMetadata
{
    [JsonRequired]
    public string Name { get; init; } = "";

    [JsonRequired]
    public string Uid { get; init; } = "";

    public Dictionary<string, string> Labels { get; init; } = [];
}

/// <summary>How a job is.</summary>
internal sealed record JobStatus
{
    public List<Condition>? Conditions { get; init; }

    /// <summary>How many of its pods are ready; old servers do not say.</summary>
    public int? Ready { get; init; }

    /// <summary>Whether its pod has ended, in whatever way.</summary>
    [JsonIgnore]
    public bool HasEnded => Conditions?.Any(condition => condition is { Type: "Complete" or "Failed", Status: "True" }) == true;
}

/// <summary>What holds for a job or a pod.</summary>
internal sealed record Condition
{
    public string? Type { get; init; }

    public string? Status { get; init; }

    public string? Reason { get; init; }

    public string? Message { get; init; }
}

/// <summary>Pods: the parts of <c>v1</c>, <c>PodList</c>, that are read.</summary>
internal sealed record PodList
{
    [JsonRequired]
    public List<PodObject> Items { get; init; } = [];
}

/// <summary>A pod.</summary>
internal sealed record PodObject
{
    [JsonRequired]
    public ObjectMetadata Metadata { get; init; } = new();

    public PodStatus Status { get; init; } = new();
}

/// <summary>How a pod is.</summary>
internal sealed record PodStatus
{
    // what every pod says that starts
    private static readonly string[] Starting = ["ContainerCreating", "PodInitializing"];

    public List<Condition>? Conditions { get; init; }

    public List<ContainerStatus>? ContainerStatuses { get; init; }

    /// <summary>Why it waits: no node takes it, or its container cannot be made; empty for another reason.</summary>
    [JsonIgnore]
    public string Reason => Conditions?.FirstOrDefault(condition => condition is { Type: "PodScheduled", Status: "False", Reason: not null }) is { } unscheduled ? Text(unscheduled.Reason!, unscheduled.Message)
        : ContainerStatuses?.Select(container => container.State?.Waiting).FirstOrDefault(waiting => waiting?.Reason is { } reason && !Starting.Contains(reason)) is { } waiting ? Text(waiting.Reason!, waiting.Message)
        : "";

    private static string Text(string reason, string? message) => string.IsNullOrEmpty(message) ? reason : $"{reason}: {message.TrimEnd('.')}";
}

/// <summary>How a container is.</summary>
internal sealed record ContainerStatus
{
    public ContainerState? State { get; init; }
}

/// <summary>What a container does.</summary>
internal sealed record ContainerState
{
    public Condition? Waiting { get; init; }
}

/// <summary>An error: <c>v1</c>, <c>Status</c>.</summary>
internal sealed record StatusObject
{
    public string? Message { get; init; }
}

/// <summary>How to delete a job: its pods too, and only the job of this <c>uid</c>.</summary>
internal sealed record DeleteOptions(Preconditions Preconditions)
{
    public string ApiVersion { get; } = "v1";

    public string Kind { get; } = "DeleteOptions";

    public string PropagationPolicy { get; } = "Background";
}

/// <summary>Which object is meant.</summary>
internal sealed record Preconditions(string Uid);

/// <summary>The JSON of the API server. What is not read is ignored: a newer server sends more.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, RespectNullableAnnotations = true)]
[JsonSerializable(typeof(JobList))]
[JsonSerializable(typeof(JobObject))]
[JsonSerializable(typeof(PodList))]
[JsonSerializable(typeof(StatusObject))]
[JsonSerializable(typeof(DeleteOptions))]
internal sealed partial class KubernetesJson : JsonSerializerContext;
