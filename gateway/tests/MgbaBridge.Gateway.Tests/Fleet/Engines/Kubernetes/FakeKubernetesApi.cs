using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json.Nodes;
using MgbaBridge.Fleet.Engines.Kubernetes;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace MgbaBridge.Gateway.Tests.Fleet.Engines.Kubernetes;

/// <summary>
/// A fake of the API server of Kubernetes: Jobs of one namespace over HTTPS, as its documentation describes them. No real cluster runs where this
/// project is built, so that what a real one does beyond it is not tested.
/// </summary>
internal sealed class FakeKubernetesApi : IAsyncDisposable
{
    public const string Namespace = "games";
    public const string Jobs = $"/apis/batch/v1/namespaces/{Namespace}/jobs";
    public const string Pods = $"/api/v1/namespaces/{Namespace}/pods";

    // one key for all tests: making it takes longest
    private static readonly ECDsa Key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
    private static readonly X509Certificate2 Authority = NewAuthority("CN=fake cluster");

    private readonly WebApplication _app;
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mgba-bridge-kubernetes-");
    private int _last;

    private FakeKubernetesApi(WebApplication app)
    {
        _app = app;
        File.WriteAllText(Path.Combine(_folder.FullName, "namespace"), Namespace);
        Write("ca.crt", Authority.ExportCertificatePem());
        Write("token", Token);
    }

    /// <summary>The token that it accepts.</summary>
    public string Token { get; set; } = "first token";

    /// <summary>Jobs in one answer at most.</summary>
    public int PageSize { get; set; } = 500;

    /// <summary>Its Jobs by their names.</summary>
    public ConcurrentDictionary<string, JsonObject> Objects { get; } = new();

    /// <summary>How the pods of Jobs are that wait, by the names of the Jobs.</summary>
    public ConcurrentDictionary<string, string> Pending { get; } = new();

    /// <summary>The requests so far: method, path and query.</summary>
    public ConcurrentQueue<string> Requests { get; } = new();

    /// <summary>Answers a request in another way and returns true, or returns false.</summary>
    public Func<HttpContext, Task<bool>> Fault { get; set; } = static _ => Task.FromResult(false);

    /// <summary>What a pod knows of it.</summary>
    public KubernetesAccess Access => new(new Uri(_app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.Single()), _folder.FullName);

    public static async Task<FakeKubernetesApi> StartAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseKestrelHttpsConfiguration().ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen => listen.UseHttps(NewCertificate())));
        var app = builder.Build();
        var api = new FakeKubernetesApi(app);
        app.Run(api.AnswerAsync);
        await app.StartAsync(TestContext.Current.CancellationToken);
        return api;
    }

    /// <summary>Replaces a file of the service account.</summary>
    public void Write(string file, string text) => File.WriteAllText(Path.Combine(_folder.FullName, file), text);

    /// <summary>Writes the certificate of another authority, or that of its own.</summary>
    public void WriteAuthority(bool isOwn)
    {
        using var other = NewAuthority("CN=other cluster");
        Write("ca.crt", (isOwn ? Authority : other).ExportCertificatePem());
    }

    /// <summary>Answers with an error object, as the API server does.</summary>
    public static async Task<bool> RefuseAsync(HttpContext http, int status, string message)
    {
        http.Response.StatusCode = status;
        await http.Response.WriteAsJsonAsync(new { kind = "Status", apiVersion = "v1", status = "Failure", message, code = status });
        return true;
    }

    public async ValueTask DisposeAsync()
    {
        await _app.DisposeAsync();
        _folder.Delete(recursive: true);
    }

    private async Task AnswerAsync(HttpContext http)
    {
        Requests.Enqueue($"{http.Request.Method} {http.Request.Path}{http.Request.QueryString}");
        if (await Fault(http))
        {
            return;
        }

        var path = http.Request.Path.Value!;
        var (status, answer) = http.Request.Headers.Authorization != $"Bearer {Token}" ? Failure(401, "Unauthorized")
            : path == Jobs && HttpMethods.IsPost(http.Request.Method) ? Create((JsonObject)(await JsonNode.ParseAsync(http.Request.Body))!)
            : path == Jobs && HttpMethods.IsGet(http.Request.Method) ? List(http.Request.Query)
            : path == Pods && HttpMethods.IsGet(http.Request.Method) ? ListPods(http.Request.Query)
            : !path.StartsWith($"{Jobs}/", StringComparison.Ordinal) || !Objects.TryGetValue(path[(Jobs.Length + 1)..], out var found) ? Failure(404, $"{path} not found")
            : HttpMethods.IsGet(http.Request.Method) ? (200, found)
            : HttpMethods.IsDelete(http.Request.Method) ? Delete(found, (JsonObject)(await JsonNode.ParseAsync(http.Request.Body))!)
            : Failure(405, "method not allowed");
        http.Response.StatusCode = status;
        http.Response.ContentType = "application/json";
        await http.Response.WriteAsync(answer.ToJsonString());
    }

    private (int Status, JsonNode Answer) Create(JsonObject job)
    {
        var name = job["metadata"]!["name"]!.GetValue<string>();
        job["metadata"]!["uid"] = string.Create(CultureInfo.InvariantCulture, $"uid-{Interlocked.Increment(ref _last)}");
        job["status"] = new JsonObject();
        return Objects.TryAdd(name, job) ? (201, job) : Failure(409, $"jobs.batch \"{name}\" already exists");
    }

    private (int Status, JsonNode Answer) List(IQueryCollection query)
    {
        var labels = query["labelSelector"].ToString().Split(',').Select(label => label.Split('=')).ToArray();
        var found = Objects.Values.Where(job => labels.All(label => (string?)job["metadata"]!["labels"]?[label[0]] == label[1])).OrderBy(job => job["metadata"]!["name"]!.GetValue<string>(), StringComparer.Ordinal).ToArray();
        var first = int.Parse(query["continue"].FirstOrDefault() ?? "0", CultureInfo.InvariantCulture);
        var end = first + Math.Min(PageSize, int.Parse(query["limit"].ToString(), CultureInfo.InvariantCulture));
        var metadata = new JsonObject { ["resourceVersion"] = "1" };
        if (end < found.Length)
        {
            metadata["continue"] = end.ToString(CultureInfo.InvariantCulture);
        }

        return (200, new JsonObject { ["kind"] = "JobList", ["metadata"] = metadata, ["items"] = new JsonArray([.. found.Skip(first).Take(end - first).Select(job => job.DeepClone())]) });
    }

    private (int Status, JsonNode Answer) ListPods(IQueryCollection query) => query["fieldSelector"] != "status.phase=Pending"
        ? Failure(400, "only pending pods are known here")
        : (200, new JsonObject
        {
            ["kind"] = "PodList",
            ["metadata"] = new JsonObject(),
            ["items"] = new JsonArray([.. Pending.Where(pod => Objects.ContainsKey(pod.Key)).Select(pod => new JsonObject
            {
                ["metadata"] = new JsonObject { ["name"] = $"{pod.Key}-abcde", ["uid"] = $"pod-{pod.Key}", ["labels"] = Objects[pod.Key]["spec"]!["template"]!["metadata"]!["labels"]!.DeepClone() },
                ["status"] = JsonNode.Parse(pod.Value),
            })]),
        });

    private (int Status, JsonNode Answer) Delete(JsonObject job, JsonObject options)
    {
        var metadata = job["metadata"]!;
        var uid = metadata["uid"]!.GetValue<string>();
        if ((string?)options["preconditions"]!["uid"] is { } wanted && wanted != uid)
        {
            return Failure(409, $"Precondition failed: UID in precondition: {wanted}, UID in object meta: {uid}");
        }

        Objects.TryRemove(metadata["name"]!.GetValue<string>(), out _);
        return (200, new JsonObject { ["kind"] = "Status", ["status"] = "Success" });
    }

    private static (int Status, JsonNode Answer) Failure(int code, string message) =>
        (code, new JsonObject { ["kind"] = "Status", ["apiVersion"] = "v1", ["status"] = "Failure", ["message"] = message, ["code"] = code });

    private static X509Certificate2 NewAuthority(string name)
    {
        var request = new CertificateRequest(name, Key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(certificateAuthority: true, hasPathLengthConstraint: false, 0, critical: true));
        return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }

    private static X509Certificate2 NewCertificate()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=kube-apiserver", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        using var certificate = request.Create(Authority, DateTimeOffset.UtcNow.AddHours(-1), DateTimeOffset.UtcNow.AddHours(1), [1, 2, 3, 4]);
        return certificate.CopyWithPrivateKey(key);
    }
}
