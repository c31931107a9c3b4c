using System.Net;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Registers;

public sealed class RegisterOperationsTests
{
    [Fact]
    public async Task Registers_ReadAndWritten_AreThose()
    {
        await using var play = await Play.StartAsync();
        var pc = await play.GetAsync("/v2/registers/pc");
        Assert.Equal("pc", pc.GetProperty("name").GetString());
        Assert.True(pc.GetProperty("value").GetInt64() > 0);
        await play.SendAsync(HttpMethod.Put, "/v2/registers/r12", """{"value":-1}""");
        var unknown = await play.SendAsync(HttpMethod.Get, "/v2/registers/r99", status: HttpStatusCode.NotFound);
        Assert.Contains("r15", unknown.GetProperty("detail").GetString(), StringComparison.Ordinal);
        await play.SendAsync(HttpMethod.Put, "/v2/registers/r0", """{"value":4294967296}""", status: HttpStatusCode.BadRequest);
    }

    [Fact]
    public async Task Registers_AllAtOnce_AreThoseOneByOne()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", "reader");
        await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":1}""", "reader");
        var all = (await play.GetAsync("/v2/registers")).GetProperty("registers").EnumerateObject().ToArray();
        Assert.Superset(new HashSet<string> { "r0", "r15", "sp", "lr", "pc", "cpsr" }, all.Select(register => register.Name).ToHashSet());
        foreach (var register in all)
        {
            Assert.Equal(register.Value.GetInt64(), (await play.GetAsync($"/v2/registers/{register.Name}")).GetProperty("value").GetInt64());
        }
    }
}
