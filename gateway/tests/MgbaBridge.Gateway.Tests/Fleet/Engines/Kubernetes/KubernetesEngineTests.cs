using System.Text;
using System.Text.Json.Nodes;
using MgbaBridge.Fleet;
using MgbaBridge.Fleet.Engines;
using MgbaBridge.Fleet.Engines.Kubernetes;
using MgbaBridge.Fleet.Registry;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.AspNetCore.Http;

namespace MgbaBridge.Gateway.Tests.Fleet.Engines.Kubernetes;

/// <summary>The engine with a fake API server; see <see cref="FakeKubernetesApi"/> for what this does not show.</summary>
public sealed class KubernetesEngineTests : IAsyncLifetime
{
    private const string Template = """
        {"apiVersion":"batch/v1","kind":"Job","spec":{"template":{"spec":{"subdomain":"hosts","containers":[
          {"name":"node","image":"mgba-bridge:2","args":["node"],"env":[
            {"name":"Bridge__Fleet__Database","valueFrom":{"secretKeyRef":{"name":"fleet","key":"database"}}},{"name":"Bridge__Fleet__LeaseTime","value":"00:00:20"}]}]}}}}
        """;

    private readonly ManualTime _time = new();
    private readonly string _template = Path.GetTempFileName();
    private FakeKubernetesApi _api = null!;
    private KubernetesEngine _engine = null!;

    public async ValueTask InitializeAsync()
    {
        await File.WriteAllTextAsync(_template, Template, Cancelled);
        _api = await FakeKubernetesApi.StartAsync();
        _engine = NewEngine("lab");
    }

    public async ValueTask DisposeAsync()
    {
        _engine.Dispose();
        await _api.DisposeAsync();
        File.Delete(_template);
    }

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Start_OfTwoHosts_CreatesAJobForEach()
    {
        var jobs = Jobs(2);
        await _engine.StartAsync(jobs, "me", default, Cancelled);
        Assert.Equal(2, _api.Objects.Count);
        var job = _api.Objects[NameOf(jobs[1])];
        foreach (var labels in new[] { job["metadata"]!["labels"]!, job["spec"]!["template"]!["metadata"]!["labels"]! })
        {
            Assert.Equal(("lab", "g1", "7"), ((string?)labels["mgba-bridge/fleet"], (string?)labels["mgba-bridge/session"], (string?)labels["mgba-bridge/generation"]));
        }

        var pod = job["spec"]!["template"]!["spec"]!;
        Assert.Equal((0, 1), ((int)job["spec"]!["backoffLimit"]!, (int)job["spec"]!["completions"]!));
        Assert.Equal(("Never", 35, "hosts"), ((string?)pod["restartPolicy"], (int)pod["terminationGracePeriodSeconds"]!, (string?)pod["subdomain"]));
        Assert.Equal((string?)job["metadata"]!["name"], (string?)pod["hostname"]);
        var variables = pod["containers"]![0]!["env"]!.AsArray().ToDictionary(variable => (string)variable!["name"]!, variable => (string?)variable!["value"]);
        Assert.Equal("g1.7", variables[IFleetEngine.JobVariable]);
        Assert.Equal("00:00:20", variables["Bridge__Fleet__LeaseTime"]); // the template's, not the gateway's
        Assert.Equal("4", variables["Bridge__Fleet__EmulatorsPerHost"]);
        Assert.Null(variables["Bridge__Fleet__Database"]); // from the Secret
    }

    /// <summary>What the manifest says is replaced for a session that says something else, each for itself.</summary>
    [Fact]
    public async Task Start_WithResources_RequestsAndLimitsThem()
    {
        await File.WriteAllTextAsync(_template, Template.Replace("\"args\"", "\"resources\":{\"limits\":{\"cpu\":\"4\",\"memory\":\"1Gi\"}},\"args\"", StringComparison.Ordinal), Cancelled);
        await _engine.StartAsync(Jobs(1), "me", new JobResources(0.5, null), Cancelled);
        Assert.Equal("""{"limits":{"cpu":"0.5","memory":"1Gi"},"requests":{"cpu":"0.5"}}""", _api.Objects.Values.Single()["spec"]!["template"]!["spec"]!["containers"]![0]!["resources"]!.ToJsonString());
        await _engine.StopAsync(await _engine.ListAsync(Cancelled), Cancelled);
        await _engine.StartAsync([new SessionCopy("g5", 1)], "me", new JobResources(2, 300), Cancelled);
        Assert.Equal(
            """{"limits":{"cpu":"2","memory":"300Mi"},"requests":{"cpu":"2","memory":"300Mi"}}""",
            _api.Objects[NameOf(new SessionCopy("g5", 1))]["spec"]!["template"]!["spec"]!["containers"]![0]!["resources"]!.ToJsonString());
    }

    /// <summary>Statuses as Kubernetes 1.30 documents them.</summary>
    [Theory]
    [InlineData("""{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"0/3 nodes are available: 3 Insufficient cpu."}]}""", "Unschedulable: 0/3 nodes are available: 3 Insufficient cpu")]
    [InlineData("""{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"True"}],"containerStatuses":[{"state":{"waiting":{"reason":"ImagePullBackOff","message":"Back-off pulling image x"}}}]}""", "ImagePullBackOff: Back-off pulling image x")]
    [InlineData("""{"phase":"Pending","containerStatuses":[{"state":{"waiting":{"reason":"ContainerCreating"}}}]}""", "")]
    [InlineData("""{"phase":"Pending"}""", "")]
    public async Task List_OfAJobWhosePodWaits_SaysWhy(string status, string reason)
    {
        var jobs = Jobs(2);
        await _engine.StartAsync(jobs, "me", default, Cancelled);
        _api.Pending[NameOf(jobs[1])] = status;
        Assert.Equal(["", reason], (await _engine.ListAsync(Cancelled)).OrderBy(job => job.Copy.Session, StringComparer.Ordinal).Select(job => job.Reason));

        // all run: nobody asks for pods
        foreach (var job in _api.Objects.Values)
        {
            job["status"] = new JsonObject { ["ready"] = 1, ["active"] = 1 };
        }

        _api.Requests.Clear();
        Assert.Equal(["", ""], (await _engine.ListAsync(Cancelled)).Select(job => job.Reason));
        Assert.Single(_api.Requests);
    }

    [Fact]
    public async Task List_WithoutTheRightToListPods_HasTheJobs()
    {
        await _engine.StartAsync(Jobs(2), "me", default, Cancelled);
        _api.Fault = static http => http.Request.Path == FakeKubernetesApi.Pods ? FakeKubernetesApi.RefuseAsync(http, 403, "pods is forbidden") : Task.FromResult(false);
        Assert.Equal(2, (await _engine.ListAsync(Cancelled)).Count);
    }

    [Fact]
    public async Task Start_RepeatedAfterALostAnswer_CreatesNoSecondJob()
    {
        await _engine.StartAsync(Jobs(1), "me", default, Cancelled);
        await _engine.StartAsync(Jobs(1), "me", default, Cancelled);
        Assert.Single(_api.Objects);
        Assert.Single(await _engine.ListAsync(Cancelled));
    }

    [Fact]
    public async Task Start_OfAJobWhoseNameSomethingElseHas_Fails()
    {
        using var other = NewEngine("other");
        await other.StartAsync(Jobs(1), "me", default, Cancelled);
        Assert.Single(await other.ListAsync(Cancelled));
        _api.Objects[NameOf(Jobs(1)[0])] = _api.Objects.Values.Single();
        var failure = await Assert.ThrowsAsync<EngineException>(() => _engine.StartAsync(Jobs(3), "me", default, Cancelled));
        Assert.Contains("did not create the Job mgba-bridge-", failure.Message, StringComparison.Ordinal);
        Assert.Equal(Jobs(1), failure.Refused);
        Assert.Equal(Jobs(3).Skip(1), (await _engine.ListAsync(Cancelled)).Select(job => job.Copy).OrderBy(copy => copy.Session)); // the others were made
    }

    [Fact]
    public async Task List_OfSeveralPages_HasTheLivingJobsOfThisFleet()
    {
        _api.PageSize = 2;
        var jobs = Jobs(5);
        await _engine.StartAsync(jobs, "me", default, Cancelled);
        using var other = NewEngine("other");
        await other.StartAsync([new SessionCopy("g9", 1)], "me", default, Cancelled);
        _api.Objects[NameOf(jobs[0])]["status"] = Condition("Complete", "True");
        _api.Objects[NameOf(jobs[1])]["status"] = Condition("Failed", "True");
        _api.Objects[NameOf(jobs[2])]["status"] = Condition("Suspended", "False");
        Assert.Equal(jobs[2..].Select(job => job.ToString()), (await _engine.ListAsync(Cancelled)).Select(job => job.Copy.ToString()).Order(StringComparer.Ordinal));
        Assert.Equal(3, _api.Requests.Count(request => request.StartsWith($"GET {FakeKubernetesApi.Jobs}", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData(1, true)]
    [InlineData(3, false)]
    public async Task List_ThatExpiresMeanwhile_BeginsAnewAFewTimes(int times, bool isRead)
    {
        _api.PageSize = 1;
        await _engine.StartAsync(Jobs(2), "me", default, Cancelled);
        _api.Fault = http => http.Request.Query.ContainsKey("continue") && times-- > 0 ? FakeKubernetesApi.RefuseAsync(http, 410, "The provided continue parameter is too old") : Task.FromResult(false);
        if (isRead)
        {
            Assert.Equal(2, (await _engine.ListAsync(Cancelled)).Count);
        }
        else
        {
            Assert.Contains("expired 3 times", await FailureAsync(() => _engine.ListAsync(Cancelled)), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Stop_OfAJobWhoseNameIsUsedAgain_LeavesTheNewOne()
    {
        await _engine.StartAsync(Jobs(2), "me", default, Cancelled);
        var before = await _engine.ListAsync(Cancelled);
        _api.Objects.TryRemove(NameOf(before[0].Copy), out _);
        await _engine.StartAsync([before[0].Copy], "me", default, Cancelled);
        await _engine.StopAsync(before, Cancelled);
        Assert.Equal(before[0].Copy, Assert.Single(await _engine.ListAsync(Cancelled)).Copy);
        await _engine.StopAsync([before[1]], Cancelled); // deleted already
    }

    [Fact]
    public async Task Token_ThatWasReplaced_IsReadAgain()
    {
        await _engine.ListAsync(Cancelled);
        _api.Token = "second token";
        _api.Fault = http =>
        {
            _api.Write("token", $"{_api.Token}\n"); // between reading the old one and checking it
            return Task.FromResult(false);
        };
        Assert.Empty(await _engine.ListAsync(Cancelled));
        _api.Token = "third token";
        _api.Fault = static _ => Task.FromResult(false);
        Assert.Contains("refuses the token", await FailureAsync(() => _engine.ListAsync(Cancelled)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(429, "30", 29, 2)]
    [InlineData(503, null, 0.9, 0.2)]
    [InlineData(500, "86400", 299, 2)]
    public async Task Server_ThatIsBusy_IsAskedAgainWhenItWantsTo(int status, string? retryAfter, double waits, double more)
    {
        _api.Fault = http =>
        {
            http.Response.Headers.RetryAfter = retryAfter;
            return FakeKubernetesApi.RefuseAsync(http, status, "too many requests");
        };
        Assert.Contains($"{status} too many requests", await FailureAsync(() => _engine.ListAsync(Cancelled)), StringComparison.Ordinal);
        _api.Fault = static _ => Task.FromResult(false);
        _time.Advance(TimeSpan.FromSeconds(waits));
        Assert.Contains("asked to wait", await FailureAsync(() => _engine.ListAsync(Cancelled)), StringComparison.Ordinal);
        Assert.Single(_api.Requests);
        _time.Advance(TimeSpan.FromSeconds(more));
        Assert.Empty(await _engine.ListAsync(Cancelled));
    }

    [Fact]
    public async Task Server_ThatDoesNotAnswer_IsGivenUp()
    {
        _api.Fault = static async http =>
        {
            await Task.Delay(Timeout.Infinite, http.RequestAborted).ContinueWith(static _ => { }, TaskScheduler.Default);
            return true;
        };
        var list = FailureAsync(() => _engine.ListAsync(Cancelled));
        await Eventually.Is(() => _api.Requests.Count == 1);
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.Contains("did not answer within 10 s (Bridge:Fleet:EngineTimeout)", await list, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("<html>proxy</html>")]
    [InlineData("null")]
    [InlineData("{}")]
    [InlineData("""{"items":[{"metadata":{"name":"a"}}]}""")]
    [InlineData("""{"items":[{"metadata":{"name":"a","uid":null}}]}""")]
    [InlineData("""{"items":[{"metadata":{"name":"a","uid":"b","labels":7}}]}""")]
    [InlineData("""{"items":[""")]
    public async Task Answer_OfAnotherShape_IsAnErrorOfTheEngine(string answer)
    {
        _api.Fault = async http =>
        {
            await http.Response.WriteAsync(answer, http.RequestAborted);
            return true;
        };
        Assert.Contains("The API server of Kubernetes answered", await FailureAsync(() => _engine.ListAsync(Cancelled)), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Answer_ThatIsCut_IsAnErrorOfTheEngine()
    {
        _api.Fault = async http =>
        {
            http.Response.ContentLength = 100;
            await http.Response.WriteAsync("""{"items":[]""", http.RequestAborted);
            await http.Response.Body.FlushAsync(http.RequestAborted);
            http.Abort();
            return true;
        };
        Assert.Contains("cannot be reached", await FailureAsync(() => _engine.ListAsync(Cancelled)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(200)]
    [InlineData(403)]
    public async Task Answer_ThatIsTooLarge_IsNotReadToItsEnd(int status)
    {
        _api.Fault = async http =>
        {
            http.Response.StatusCode = status;
            var part = Encoding.ASCII.GetBytes(new string(' ', 64 * 1_024));
            while (!http.RequestAborted.IsCancellationRequested)
            {
                await http.Response.Body.WriteAsync(part, CancellationToken.None);
            }

            return true;
        };
        Assert.Contains($"more than {KubernetesApi.MaxAnswer} bytes", await FailureAsync(() => _engine.ListAsync(Cancelled)), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Account_WithoutTheRole_IsToldWhatToGive()
    {
        _api.Fault = static http => FakeKubernetesApi.RefuseAsync(http, 403, "jobs.batch is forbidden");
        Assert.Equal("Kubernetes did not list the Jobs: 403 jobs.batch is forbidden Give the service account the role of deploy/kubernetes.", await FailureAsync(() => _engine.ListAsync(Cancelled)));
    }

    [Fact]
    public async Task Server_OfAnotherAuthority_IsRefusedUntilTheFileIsReplaced()
    {
        _api.WriteAuthority(isOwn: false);
        Assert.Contains("cannot be reached", await FailureAsync(() => _engine.ListAsync(Cancelled)), StringComparison.Ordinal);
        Assert.Empty(_api.Requests);
        _api.WriteAuthority(isOwn: true);
        Assert.Empty(await _engine.ListAsync(Cancelled));
        _api.Write("ca.crt", "nothing");
    }

    [Fact]
    public async Task Server_ThatHasEnded_CannotBeReached()
    {
        await _api.DisposeAsync();
        Assert.Contains("cannot be", await FailureAsync(() => _engine.ListAsync(Cancelled)), StringComparison.Ordinal);
        _api = await FakeKubernetesApi.StartAsync(); // for the end of the test
    }

    [Theory]
    [InlineData("not JSON", "cannot be used")]
    [InlineData("[]", "is not an object")]
    [InlineData("""{"kind":"Pod"}""", "is not a Job of batch/v1")]
    [InlineData("""{"apiVersion":"batch/v1","kind":"Job"}""", "has no container with the name node")]
    [InlineData("""{"apiVersion":"batch/v1","kind":"Job","spec":{"template":{"spec":{"containers":[{}]}}}}""", "gives its hosts no database")]
    [InlineData("""{"apiVersion":"batch/v1","kind":"Job","kind":"Job"}""", "cannot be used")]
    public async Task Template_ThatIsWrong_IsNamedWithWhatIsWrong(string template, string expected)
    {
        await File.WriteAllTextAsync(_template, template, Cancelled);
        var failure = await FailureAsync(() => _engine.StartAsync(Jobs(1), "me", default, Cancelled));
        Assert.Contains(expected, failure, StringComparison.Ordinal);
        Assert.Contains($"Bridge:Fleet:KubernetesTemplate {_template}", failure, StringComparison.Ordinal);
        Assert.Empty(_api.Requests);
    }

    private static async Task<string> FailureAsync(Func<Task> action) => (await Assert.ThrowsAsync<EngineException>(action)).Message;

    private static JsonObject Condition(string type, string status) => new() { ["conditions"] = new JsonArray(new JsonObject { ["type"] = type, ["status"] = status }) };

    private static SessionCopy[] Jobs(int count) => [.. Enumerable.Range(0, count).Select(index => new SessionCopy($"g{index}", 7))];

    private static string NameOf(SessionCopy job) => HostJobTemplate.NameOf("lab", job);

    private KubernetesEngine NewEngine(string fleet) => new(
        new FleetOptions { Name = fleet, KubernetesTemplate = _template, EngineTimeout = TimeSpan.FromSeconds(10) },
        new NodeProgram(["mgba-bridge", "node"], new Dictionary<string, string?> { ["Bridge__Fleet__LeaseTime"] = "00:00:15", ["Bridge__Fleet__EmulatorsPerHost"] = "4" }), _api.Access, _time);
}
