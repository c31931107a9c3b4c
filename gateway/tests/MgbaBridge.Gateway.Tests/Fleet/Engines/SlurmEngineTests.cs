using MgbaBridge.Fleet;
using MgbaBridge.Fleet.Engines;
using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Gateway.Tests.Fleet.Engines;

/// <summary>How jobs of Slurm carry what they are for. tests/fleet runs them with a real Slurm.</summary>
public sealed class SlurmEngineTests
{
    [Fact]
    public void Comments_OfManyJobs_AreAsLongAsSlurmPermits()
    {
        SessionCopy[] jobs = [.. Enumerable.Range(0, 1_000).Select(number => new SessionCopy($"g{number:x10}", number + 1))];
        var comments = SlurmEngine.Lists(jobs).ToArray();
        Assert.All(comments, comment => Assert.InRange(comment.Length, 1, 1_000));
        var lines = comments.Index().SelectMany(comment => Enumerable.Range(0, comment.Item.Split(' ').Length).Select(index => $"{100 + comment.Index}|{index}|None|{comment.Item}"));
        Assert.Equal(jobs, SlurmEngine.Parse(string.Join('\n', lines)).Select(job => job.Copy));
        Assert.All(SlurmEngine.Lists(jobs, 700), list => Assert.InRange(list.Length, 1, 700));
        Assert.Empty(SlurmEngine.Lists([]));
    }

    [Theory]
    [InlineData("17|1|None|a.1 b-2.30\n", "b-2.30 17_1")]
    [InlineData("17|1|Resources|a.1 b-2.30", "b-2.30 17_1 Resources")]
    [InlineData("17|0|ReqNodeNotAvail, UnavailableNodes:node1|a.1", "a.1 17_0 ReqNodeNotAvail, UnavailableNodes:node1")]
    [InlineData("17|0|None|a.1", "a.1 17_0")]
    [InlineData("17|1|None|lab7; games | z.9 x.8;a.1 b.2", "b.2 17_1")] // with a comment of the site
    [InlineData("17|2|None|a.1 b.2", null)] // no such task
    [InlineData("17|N/A|None|a.1", null)] // no array
    [InlineData("17|0|None|(null)", null)]
    [InlineData("17|0|None|a.b", null)]
    [InlineData("17|0|None|.1", null)]
    [InlineData("17|-1|None|a.1", null)]
    [InlineData("17|0|None|a.99999999999999999999", null)]
    [InlineData("error", null)]
    [InlineData("", null)]
    public void Line_OfSqueue_IsAJobIfItSaysWhatItIsFor(string lines, string? expected) =>
        Assert.Equal(expected is null ? [] : [expected], SlurmEngine.Parse(lines).Select(job => $"{job.Copy} {job.Name} {job.Reason}".TrimEnd()));

    [Theory]
    [InlineData("--comment=lab", true)]
    [InlineData("--job-name", true)]
    [InlineData("--jo=x", true)]
    [InlineData("--arr=0-3", true)]
    [InlineData("-a0-3", true)]
    [InlineData("-J", true)]
    [InlineData("--account=lab", false)]
    [InlineData("-A", false)]
    [InlineData("--job-name-of-another", false)]
    [InlineData("--constraint=fast", false)]
    [InlineData("lab", false)]
    [InlineData("", false)]
    public void Argument_ByWhichJobsAreKnown_IsOwn(string argument, bool expected) => Assert.Equal(expected, SlurmArguments.IsOwn(argument));

    [Theory]
    [InlineData("--account={owner}", null)]
    [InlineData("--output=/log/{owner}/%x.log", null)]
    [InlineData("--qos=low", null)]
    [InlineData("{owner}", "has \"{owner}\"; {owner} is part of a value, as in --account={owner}.")] // it would be the script
    [InlineData("--{owner}=1", "is part of a value")] // or an option
    [InlineData("-A{owner}", "is part of a value")]
    [InlineData("--comment={owner}", "knows its jobs")]
    public void Owner_OfAnArgument_IsAValue(string argument, string? expected)
    {
        Assert.Equal(expected is null, SlurmArguments.Problem(argument) is null);
        Assert.Contains(expected ?? "", SlurmArguments.Problem(argument) ?? "", StringComparison.Ordinal);
        Assert.Equal(SlurmArguments.Problem(argument) is null && argument.StartsWith('-'), SlurmArguments.ProblemOfOwners($"lab7:{argument}") is null);
    }

    [Theory]
    [InlineData("--qos=low")]
    [InlineData("lab7")]
    [InlineData("lab7:low")]
    [InlineData("Lab 7:--qos=low")]
    [InlineData(":--qos=low")]
    [InlineData("")]
    public void Argument_OfAnOwner_NeedsBoth(string text) => Assert.Contains("expected an owner and an argument", SlurmArguments.ProblemOfOwners(text), StringComparison.Ordinal);

    [Theory]
    [InlineData("lab7", "--account=lab7 --qos=normal")]
    [InlineData("students", "--account=students --qos=normal --qos=low --output=/log/students:%j")]
    [InlineData("student", "--account=student --qos=normal")]
    [InlineData("-x", "--account=-x --qos=normal --qos=high")] // still a value
    public void Arguments_OfAnOwner_FollowThoseOfAll(string owner, string expected) => Assert.Equal(
        expected,
        string.Join(' ', SlurmArguments.Of(new FleetOptions { SlurmArguments = ["--account={owner}", "--qos=normal"], SlurmOwnerArguments = ["students:--qos=low", "students:--output=/log/{owner}:%j", "-x:--qos=high"] }, owner)));

    [Theory]
    [InlineData(null, null, "")]
    [InlineData(0.25, null, "--cpus-per-task=1")]
    [InlineData(2.5, 256, "--cpus-per-task=3 --mem=256M")]
    [InlineData(null, 16_777_216, "--mem=16777216M")]
    public void Resources_AreArgumentsOfSbatch(double? cpus, int? memory, string expected) => Assert.Equal(expected, string.Join(' ', SlurmEngine.Arguments(new JobResources(cpus, memory))));
}
