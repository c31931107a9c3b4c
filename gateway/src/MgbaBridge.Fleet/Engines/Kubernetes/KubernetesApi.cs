using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace MgbaBridge.Fleet.Engines.Kubernetes;

/// <summary>
/// Requests to the API server of a cluster with the service account of this pod: the token is read again for each request, because the cluster
/// replaces it, and the certificate of the cluster's authority whenever a connection was refused. Each answer is limited in time and size.
/// </summary>
/// <param name="access">Where the API server and the account are.</param>
/// <param name="timeout">How long one answer may take.</param>
/// <param name="time">The clock.</param>
public sealed class KubernetesApi(KubernetesAccess access, TimeSpan timeout, TimeProvider time) : IDisposable
{
    /// <summary>Bytes of an answer at most. A page of <see cref="KubernetesEngine.JobsOfPage"/> jobs has some 5 MB.</summary>
    public const int MaxAnswer = 16 * 1_024 * 1_024;

    private const int MaxFile = 1_024 * 1_024;
    private const int MaxMessage = 500;

    private static readonly TimeSpan DefaultWait = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan MaxWait = TimeSpan.FromMinutes(5);

    private readonly Lock _gate = new();
    private HttpClient? _client;
    private (long Since, TimeSpan Wait) _busy;

    /// <summary>The namespace of this pod, in which the jobs are.</summary>
    /// <exception cref="EngineException">Its file cannot be read.</exception>
    public Task<string> NamespaceAsync(CancellationToken cancellationToken) => ReadAsync("namespace", cancellationToken);

    /// <summary>Sends a request. A token that was replaced meanwhile is read again, once.</summary>
    /// <returns>Any answer but 401, 429 and 5xx.</returns>
    /// <exception cref="EngineException">There is no answer within the limits, or it refuses the account, or it says that the server is busy.</exception>
    public async Task<KubernetesAnswer> SendAsync(HttpMethod method, string path, byte[]? body, CancellationToken cancellationToken)
    {
        EnsureNotBusy();
        using var timeLimit = new CancellationTokenSource(timeout, time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, timeLimit.Token);
        var client = Client();
        try
        {
            var answer = await SendAsync(client, method, path, body, await ReadAsync("token", both.Token), both.Token);
            if (answer.Status == HttpStatusCode.Unauthorized)
            {
                answer = await SendAsync(client, method, path, body, await ReadAsync("token", both.Token), both.Token);
            }

            return Checked(answer);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            throw new EngineException($"The API server of Kubernetes at {access.Address} did not answer within {timeout.TotalSeconds} s (Bridge:Fleet:EngineTimeout).");
        }
        catch (HttpRequestException exception) when (exception.HttpRequestError == HttpRequestError.ConfigurationLimitExceeded)
        {
            throw new EngineException($"An answer of the API server of Kubernetes has more than {MaxAnswer} bytes.", exception);
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException or CryptographicException)
        {
            Forget(client); // the authority may have been replaced
            throw new EngineException($"The API server of Kubernetes at {access.Address} cannot be reached: {(exception.InnerException ?? exception).Message}", exception);
        }
    }

    /// <summary>Reads the JSON of an answer.</summary>
    /// <exception cref="EngineException">It is something else.</exception>
    public static T Parse<T>(KubernetesAnswer answer, JsonTypeInfo<T> type)
    {
        try
        {
            return JsonSerializer.Deserialize(answer.Content, type) ?? throw new EngineException("The API server of Kubernetes answered null.");
        }
        catch (JsonException exception)
        {
            throw new EngineException($"The API server of Kubernetes answered something else than expected: {exception.Message}", exception);
        }
    }

    /// <summary>An answer that the caller did not expect, as an exception with the server's message.</summary>
    public static EngineException Unexpected(string what, KubernetesAnswer answer)
    {
        var advice = answer.Status == HttpStatusCode.Forbidden ? " Give the service account the role of deploy/kubernetes." : "";
        return new EngineException(string.Create(CultureInfo.InvariantCulture, $"Kubernetes did not {what}: {(int)answer.Status} {Message(answer)}{advice}"));
    }

    public void Dispose() => _client?.Dispose();

    private static async Task<KubernetesAnswer> SendAsync(HttpClient client, HttpMethod method, string path, byte[]? body, string token, CancellationToken cancellationToken)
    {
        using var request = new HttpRequestMessage(method, path) { Headers = { Authorization = new AuthenticationHeaderValue("Bearer", token), Accept = { new("application/json") } } };
        if (body is not null)
        {
            request.Content = new ByteArrayContent(body) { Headers = { ContentType = new MediaTypeHeaderValue("application/json") } };
        }

        using var response = await client.SendAsync(request, cancellationToken);
        return new KubernetesAnswer(response.StatusCode, await response.Content.ReadAsByteArrayAsync(cancellationToken), response.Headers.RetryAfter?.Delta);
    }

    private static string Message(KubernetesAnswer answer)
    {
        string? message = null;
        try
        {
            message = JsonSerializer.Deserialize(answer.Content, KubernetesJson.Default.StatusObject)?.Message;
        }
        catch (JsonException)
        {
            // a proxy before the API server answered
        }

        return message is not { Length: > 0 } ? "without a message." : message.Length > MaxMessage ? $"{message[..MaxMessage]}…" : message;
    }

    private void EnsureNotBusy()
    {
        lock (_gate)
        {
            if (_busy.Wait - time.GetElapsedTime(_busy.Since) is { Ticks: > 0 } left)
            {
                throw new EngineException(string.Create(CultureInfo.InvariantCulture, $"The API server of Kubernetes is busy and asked to wait; {left.TotalSeconds:0.#} s are left."));
            }
        }
    }

    private KubernetesAnswer Checked(KubernetesAnswer answer)
    {
        if (answer.Status == HttpStatusCode.Unauthorized)
        {
            throw new EngineException($"The API server of Kubernetes refuses the token in {Path.Combine(access.Folder, "token")}. Check that automountServiceAccountToken is not false.");
        }

        if (answer.Status != HttpStatusCode.TooManyRequests && (int)answer.Status < (int)HttpStatusCode.InternalServerError)
        {
            return answer;
        }

        var wait = answer.RetryAfter ?? DefaultWait;
        lock (_gate)
        {
            _busy = (time.GetTimestamp(), wait < MaxWait ? wait : MaxWait);
        }

        throw Unexpected("answer the request", answer);
    }

    private HttpClient Client()
    {
        lock (_gate)
        {
            return _client ??= NewClient();
        }
    }

    private void Forget(HttpClient client)
    {
        lock (_gate)
        {
            // requests that are under way end with it; its connections close when they are idle
            _client = _client == client ? null : _client;
        }
    }

    private HttpClient NewClient()
    {
        var file = Path.Combine(access.Folder, "ca.crt");
        try
        {
            var policy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
            policy.CustomTrustStore.ImportFromPemFile(file);
            return new HttpClient(new SocketsHttpHandler
            {
                SslOptions = new SslClientAuthenticationOptions { CertificateChainPolicy = policy },
                AllowAutoRedirect = false,
                UseCookies = false,
                UseProxy = false,
                PooledConnectionIdleTimeout = TimeSpan.FromMinutes(1),
                PooledConnectionLifetime = TimeSpan.FromMinutes(5),
                MaxConnectionsPerServer = KubernetesEngine.RequestsAtOnce,
            })
            { BaseAddress = access.Address, Timeout = Timeout.InfiniteTimeSpan, MaxResponseContentBufferSize = MaxAnswer };
        }
        catch (Exception exception) when (exception is CryptographicException or IOException or UnauthorizedAccessException)
        {
            throw new EngineException($"{file} cannot be read: {exception.Message}", exception);
        }
    }

    private async Task<string> ReadAsync(string name, CancellationToken cancellationToken) =>
        (await ReadFileAsync(Path.Combine(access.Folder, name), cancellationToken)).Trim();

    /// <summary>Reads a small file.</summary>
    /// <exception cref="EngineException">It cannot be read, or is large.</exception>
    internal static async Task<string> ReadFileAsync(string file, CancellationToken cancellationToken)
    {
        try
        {
            return new FileInfo(file).Length <= MaxFile
                ? await File.ReadAllTextAsync(file, cancellationToken)
                : throw new EngineException($"{file} has more than {MaxFile} bytes.");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new EngineException($"{file} cannot be read: {exception.Message}", exception);
        }
    }
}

/// <summary>Where the API server of a cluster is, and the folder with the files <c>token</c>, <c>ca.crt</c> and <c>namespace</c> of the service account.</summary>
/// <param name="Address">The address.</param>
/// <param name="Folder">The folder.</param>
public sealed record KubernetesAccess(Uri Address, string Folder)
{
    private const string HostVariable = "KUBERNETES_SERVICE_HOST";
    private const string PortVariable = "KUBERNETES_SERVICE_PORT";
    private const string AccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

    /// <summary>That of the pod which this program runs in, or null outside of a cluster.</summary>
    public static KubernetesAccess? OfThisPod() =>
        Environment.GetEnvironmentVariable(HostVariable) is { Length: > 0 } host
        && int.TryParse(Environment.GetEnvironmentVariable(PortVariable), NumberStyles.None, CultureInfo.InvariantCulture, out var port)
            ? new KubernetesAccess(new UriBuilder(Uri.UriSchemeHttps, host, port).Uri, AccountFolder)
            : null;
}

/// <summary>An answer of the API server.</summary>
/// <param name="Status">Its status.</param>
/// <param name="Content">Its content.</param>
/// <param name="RetryAfter">How long it asks to wait, or null.</param>
public sealed record KubernetesAnswer(HttpStatusCode Status, byte[] Content, TimeSpan? RetryAfter);
