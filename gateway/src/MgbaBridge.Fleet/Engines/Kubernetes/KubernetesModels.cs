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
    public List<JobCondition>? Conditions { get; init; }

    /// <summary>Whether its pod has ended, in whatever way.</summary>
    [JsonIgnore]
    public bool HasEnded => Conditions?.Any(condition => condition is { Type: "Complete" or "Failed", Status: "True" }) == true;
}

/// <summary>What holds for a job.</summary>
internal sealed record JobCondition
{
    public string? Type { get; init; }

    public string? Status { get; init; }
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
[JsonSerializable(typeof(StatusObject))]
[JsonSerializable(typeof(DeleteOptions))]
internal sealed partial class KubernetesJson : JsonSerializerContext;
