using MgbaBridge.Gateway.Hosting;
using Microsoft.Extensions.Configuration;

namespace MgbaBridge.Gateway.Tests.Hosting;

public sealed class SettingsTests
{
    [Theory]
    [InlineData("--Bridge:Nope=1", "Bridge:Nope")]
    [InlineData("--Bridge:Transport:MinConection=1", "Bridge:Transport:MinConection")]
    [InlineData("--Bridge:Emulators:0:Prot=1", "Bridge:Emulators:0:Prot")]
    [InlineData("--Bridge:Http:Plain=true", "Bridge:Http:Plain")]
    [InlineData("--Bridge:Transport:MaxInFlight=0", "MaxInFlight")]
    [InlineData("--Bridge:Transport:MaxInFlight=257", "MaxInFlight")]
    [InlineData("--Bridge:Transport:SilentAfter=soon", "SilentAfter")]
    [InlineData("--Bridge:Transport:SilentAfter=00:00:00", "SilentAfter")]
    [InlineData("--Bridge:Transport:MaxConnections=1", "MaxConnections")]
    [InlineData("--Bridge:Http:MaxMessage=0", "MaxMessage")]
    [InlineData("--Bridge:HttpPort=70000", "HttpPort")]
    [InlineData("--emulator-port=0", "Port")]
    [InlineData("--Bridge:Emulators:0:Id=A b", "Id")]
    [InlineData("--Bridge:Emulators:0:Secret=fifteen letters", "Secret needs at least 16 characters")]
    [InlineData("--htp-port=5001", "Did you mean --http-port?")]
    [InlineData("--Http-Prot=5001", "Did you mean --http-port?")]
    [InlineData("--emulatorport=8888", "Did you mean --emulator-port?")]
    [InlineData("--url=http://127.0.0.1:1", "Did you mean --urls?")]
    [InlineData("--nonce", "--nonce needs a value")]
    [InlineData("-p=5001", "-p=5001 stands alone")]
    [InlineData("5001", "5001 stands alone")]
    [InlineData("--Bridge:Compatibility:Version=1.0", "Bridge:Compatibility:Version is \"1.0\"")]
    [InlineData("--Bridge:Compatibility:Version=0.11", "from 0.1 to 0.10")]
    [InlineData("--Bridge:Compatibility:Version=0.7.0.1", "Compatibility:Version")]
    [InlineData("--Bridge:Compatibility:Version=", "Compatibility:Version")]
    [InlineData("--Bridge:Http:Farewell=00:02:00", "Farewell has to be 0..1 min")]
    public void Read_OfAWrongSetting_NamesIt(string argument, string name)
    {
        var exception = Assert.Throws<SettingsException>(() => Settings.Read(new ConfigurationManager(), [argument]));
        Assert.Contains(name, Assert.Single(exception.Sentences), StringComparison.Ordinal);
    }

    [Fact]
    public void Read_OfSeveralWrongSettings_NamesThemAll()
    {
        var exception = Assert.Throws<SettingsException>(() => Settings.Read(
            new ConfigurationManager(), ["--Bridge:Transport:MaxInFlight=0", "--Bridge:HttpPort=-1"]));
        Assert.Equal(2, exception.Sentences.Count);
    }

    [Fact]
    public void Read_OfNothing_IsOneEmulatorHere()
    {
        var options = Settings.Read(new ConfigurationManager(), []);
        var emulator = Assert.Single(options.EmulatorsOrDefault);
        Assert.Equal(("127.0.0.1", null), (emulator.Host, emulator.Port));
        Assert.Equal(5000, options.HttpPort);
        Assert.Equal(TimeSpan.FromMilliseconds(250), options.Transport.SilentAfter);
    }

    [Fact]
    public void Read_OfShortSwitches_SetsWhatTheyStandFor()
    {
        var options = Settings.Read(new ConfigurationManager(), ["--http-port", "5001", "--emulator-port", "8890", "--emulator-host", "::1", "--nonce", "abc"]);
        var emulator = Assert.Single(options.Emulators);
        Assert.Equal((5001, 8890, "::1", "abc"), (options.HttpPort, emulator.Port, emulator.Host, emulator.Nonce));
    }

    [Theory]
    [InlineData(true, "--reuse-port")]
    [InlineData(true, "--reuse-port", "--http-port", "5001")]
    [InlineData(true, "--reuse-port=true")]
    [InlineData(false, "--reuse-port", "false")]
    [InlineData(false)]
    public void Read_OfASwitchThatMayStandAlone_IsTrueThen(bool expected, params string[] arguments) =>
        Assert.Equal(expected, Settings.Read(new ConfigurationManager(), arguments).Http.ReusePort);

    [Fact]
    public void Read_OfTheSameIdTwice_SaysWhich()
    {
        var exception = Assert.Throws<SettingsException>(() => Settings.Read(
            new ConfigurationManager(), ["--Bridge:Emulators:0:Id=red", "--Bridge:Emulators:1:Id=red"]));
        Assert.Contains("red", Assert.Single(exception.Sentences), StringComparison.Ordinal);
    }
}
